package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// processes returns the ids of the product's processes, by part; PostgreSQL has many.
func (p *product) processes() (map[string][]int, error) {
	found := map[string][]int{}
	for i, name := range p.names {
		found["munshi "+name] = []int{p.parts[i].Process.Pid}
	}
	for name, file := range map[string]string{"PostgreSQL": "postgres.pid", "Temporal": "temporal-dev.pid"} {
		text, err := os.ReadFile(filepath.Join(p.state, file))
		if err != nil {
			return nil, fmt.Errorf("find the process of %s: %w", name, err)
		}
		pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
		if err != nil {
			return nil, fmt.Errorf("find the process of %s: %w", name, err)
		}
		found[name] = append([]int{pid}, children(pid)...)
	}
	return found, nil
}

// order is the order of the parts in the report.
var order = []string{"munshi run", "munshi serve", "munshi worker", "PostgreSQL", "Temporal"}

// cpu returns the CPU time that each part has used; empty on systems other than Linux.
func (p *product) cpu() (map[string]time.Duration, error) {
	if p == nil { // another installation
		return nil, nil
	}
	processes, err := p.processes()
	if err != nil {
		return nil, err
	}
	used := map[string]time.Duration{}
	for name, pids := range processes {
		for _, pid := range pids {
			stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
			if err != nil {
				continue // it has just ended, or this is not Linux
			}
			_, rest, _ := strings.Cut(string(stat), ") ") // after the name, which may contain anything
			if f := strings.Fields(rest); len(f) > 12 {
				user, _ := strconv.Atoi(f[11])
				system, _ := strconv.Atoi(f[12])
				// Linux counts in hundredths of a second
				used[name] += time.Duration(user+system) * 10 * time.Millisecond
			}
		}
	}
	return used, nil
}

// use is a process's memory in MiB: its share of the resident memory, its resident memory, and the maximum of that so
// far.
type use struct{ shared, resident, peak float64 }

// rest reports the memory of all processes (their shares of the resident memory, in MiB) some time after the start. It
// works only on Linux.
func rest(r *report, p *product) error {
	time.Sleep(restTime)
	processes, err := p.processes()
	if err != nil {
		return err
	}
	all := 0.0
	for _, name := range order {
		part := 0.0
		for _, pid := range processes[name] {
			u, err := useOf(pid)
			if err != nil {
				return nil
			}
			part += u.shared
		}
		if all += part; part > 0 {
			r.figure("memory at rest of "+name+" (PSS)", part, "MiB")
		}
	}
	r.figure(atRest, all, "MiB")
	r.add(row{what: atRest, ours: fmt.Sprintf("%.0f MiB", all)})
	return nil
}

// restTime is how long the parts have to settle after the start.
const restTime = 10 * time.Second

// memory reports the memory of each process after the load. It works only on Linux.
func memory(r *report, p *product) error {
	processes, err := p.processes()
	if err != nil {
		return err
	}
	for _, name := range order {
		if len(processes[name]) == 0 {
			continue
		}
		var sum use
		for _, pid := range processes[name] {
			u, err := useOf(pid)
			if err != nil {
				r.foot = append(r.foot, "Memory is not told by this system: "+err.Error())
				return nil
			}
			sum = use{sum.shared + u.shared, sum.resident + u.resident, sum.peak + u.peak}
		}
		line := row{what: "memory of " + name + " after the load", ours: fmt.Sprintf("%.0f MiB (PSS)", sum.shared)}
		if n := len(processes[name]); n > 1 {
			line.other = fmt.Sprintf("in %d processes", n)
		} else {
			line.other = fmt.Sprintf("RSS %.0f MiB, at its peak %.0f MiB", sum.resident, sum.peak)
		}
		r.add(line)
	}
	return nil
}

func useOf(pid int) (use, error) {
	dir := filepath.Join("/proc", strconv.Itoa(pid))
	var u use
	for _, f := range []struct {
		file, name string
		to         *float64
	}{{"smaps_rollup", "Pss", &u.shared}, {"status", "VmRSS", &u.resident}, {"status", "VmHWM", &u.peak}} {
		var kib float64
		if _, err := fmt.Sscan(field(filepath.Join(dir, f.file), f.name), &kib); err != nil {
			return use{}, fmt.Errorf("read %s of %s/%s: %w", f.name, dir, f.file, err)
		}
		*f.to = kib / 1024
	}
	return u, nil
}

// children returns the processes that a process has started.
func children(parent int) []int {
	files, err := filepath.Glob("/proc/[0-9]*/status")
	if err != nil {
		return nil
	}
	var found []int
	for _, file := range files {
		if field(file, "PPid") != strconv.Itoa(parent) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file))); err == nil {
			found = append(found, pid)
		}
	}
	return found
}
