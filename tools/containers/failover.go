package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"munshi/tools/drills"
)

// failOver gives PostgreSQL a synchronous replica, kills the primary while 32 people upload notices, and promotes the
// replica. The old primary is not started again.
func failOver(ctx context.Context, s *stack) error {
	if err := s.addReplica(ctx); err != nil {
		return err
	}
	const people = 32
	var mu sync.Mutex
	var sent []accepted
	var wrong error
	var all sync.WaitGroup
	for i := range people {
		all.Go(func() {
			file := textNotice
			if i%4 == 0 {
				file = scan
			}
			sleep(ctx, time.Duration(i)*300*time.Millisecond)
			a, err := s.send(ctx, file)
			mu.Lock()
			defer mu.Unlock()
			sent, wrong = append(sent, a), errors.Join(wrong, err)
		})
	}
	var before []accepted
	err := drills.Await(ctx, time.Minute, "a third of them to be in, and turns to be under way",
		func(ctx context.Context) error {
			mu.Lock()
			before = slices.Clone(sent)
			err := wrong
			mu.Unlock()
			switch {
			case err != nil:
				return drills.Fatal{Err: err}
			case len(before) < people/3:
				return fmt.Errorf("%d are in", len(before))
			}
			return s.running(ctx, 2, before)
		})
	if err != nil {
		return err
	}
	primary, err := s.of(ctx, "postgres")
	if err != nil {
		return err
	}
	at := time.Now()
	// with SIGKILL; the engine then does not restart it
	if err := s.run(ctx, "podman", "kill", primary[0].ID); err != nil {
		return err
	}
	killed := time.Now()
	s.database = "postgres-replica"
	if _, err := s.query(ctx, "select pg_promote()"); err != nil {
		return err
	}
	v := &visitor{address: s.address}
	if err := v.do(ctx, http.MethodGet, "/api/ready", "", "", nil, nil); err != nil {
		return err
	}
	if err := v.do(ctx, http.MethodPost, "/api/conversations", "application/json", "", notice, nil); err != nil {
		return err
	}
	back := time.Since(killed)
	all.Wait()
	if wrong != nil {
		return wrong
	}
	found, err := s.answered(ctx, sent...)
	if err != nil {
		return err
	}
	under := underWay(found, at, killed)
	switch {
	case under == 0:
		return errors.New("no turn was under way when the primary was killed: nothing was shown")
	case back > 30*time.Second:
		return fmt.Errorf("something was accepted again only after %s", back)
	}
	note("%d people were handing notices in, and %d turns were under way, when the primary was killed", people, under)
	note("the replica was promoted and something accepted after %s; all %d are answered and charged once after %s",
		back.Round(100*time.Millisecond), len(sent), time.Since(killed).Round(100*time.Millisecond))
	return nil
}

// addReplica copies PostgreSQL while it is stopped, and starts the copy as a replica.
func (s *stack) addReplica(ctx context.Context) error {
	if _, err := s.compose(ctx, "stop"); err != nil {
		return err
	}
	s.files = append(s.files, "tools/containers/replica.yml")
	file := s.path("replica.tar")
	defer os.Remove(file)
	allow := `echo "host replication all all scram-sha-256" >>/var/lib/postgresql/data/pg_hba.conf`
	pack := "tar -c -C /var/lib/postgresql/data ."
	if err := s.shell(ctx, inDatabase+"postgres sh -c '"+allow+"; "+pack+"' >"+file); err != nil {
		return err
	}
	follow := "tar -x -C /var/lib/postgresql/data; touch /var/lib/postgresql/data/standby.signal"
	if err := s.shell(ctx, inDatabase+"postgres-replica sh -c '"+follow+"' <"+file); err != nil {
		return err
	}
	if _, err := s.compose(ctx, "up", "-d", "--no-deps", "postgres", "postgres-replica"); err != nil {
		return err
	}
	err := drills.Await(ctx, time.Minute, "the replica to follow", func(ctx context.Context) error {
		state, err := s.query(ctx, "select sync_state from pg_stat_replication")
		if err == nil && strings.TrimSpace(state) != "sync" {
			err = fmt.Errorf("its state is %q", state)
		}
		return err
	})
	if err != nil {
		return err
	}
	return s.up(ctx)
}
