package local

import (
	"bytes"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strconv"
)

// ErrNotStarted means that nothing was started with this state folder, or that its address is unknown.
var ErrNotStarted = errors.New("nothing was started with this state folder")

// DatabaseURL returns the connection string of the database that another process, such as `munshi run`, started with a
// state folder and port (as in Postgres). It does not check whether the database is still running.
func DatabaseURL(state string, port int) (string, error) {
	ports, err := loadPorts(state)
	if err != nil {
		return "", err
	}
	p := newPostgres(Postgres{}, state)
	if p.port = port; port == 0 {
		p.port = ports.kept[p.name()]
	}
	password, err := os.ReadFile(filepath.Join(p.home, "password"))
	if errors.Is(err, os.ErrPermission) {
		return "", folderProblem(p.home, err)
	}
	if err != nil || p.port == 0 {
		return "", ErrNotStarted
	}
	p.password = string(bytes.TrimSpace(password))
	return p.url(databaseName), nil
}

// TemporalAddress is like DatabaseURL, for the Temporal server.
func TemporalAddress(state string, port int) (string, error) {
	ports, err := loadPorts(state)
	if err != nil {
		return "", err
	}
	if port == 0 {
		port = ports.kept[(&temporal{}).name()]
	}
	if port == 0 {
		return "", ErrNotStarted
	}
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), nil
}
