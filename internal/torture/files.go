package torture

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"tenure/migrations"
	neo4jolder "tenure/store/neo4j/older"
	sqliteolder "tenure/store/sqlite/older"
)

// files lists the files below a folder. What is removed meanwhile is left out.
func files(dir string) (list []string) {
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			list = append(list, path)
		}
		return nil
	})
	return list
}

// largest returns the size of the largest file below a folder.
func largest(dir string) (most int64) {
	for _, f := range files(dir) {
		if info, err := os.Stat(f); err == nil {
			most = max(most, info.Size())
		}
	}
	return most
}

// indexDamaged damages the index while the server runs and while it does not, or deletes it.
func indexDamaged(ctx context.Context, r *Round) error {
	if err := r.begin(ctx); err != nil {
		return err
	}
	for range 2 + r.random.IntN(2) {
		// An orderly stop writes the index to disk.
		if err := r.servers[0].Stop(); err != nil {
			return err
		}
		if r.random.IntN(2) == 0 {
			r.damage()
		}
		if _, err := r.start(ctx, 0); err != nil {
			return err
		}
		if err := r.some(ctx); err != nil {
			return err
		}
		r.damage()
		if err := r.some(ctx); err != nil {
			return err
		}
		if err := r.awaitReady(ctx, 0, time.Now()); err != nil {
			return err
		}
	}
	return nil
}

// damage deletes the index, or damages or deletes some of its files.
func (r *Round) damage() {
	if r.random.IntN(4) == 0 {
		_ = os.RemoveAll(r.index()) // what the server makes meanwhile may stay
		return
	}
	list := files(r.index())
	for range min(len(list), 1+r.random.IntN(4)) {
		// A file that is gone by now was merged into another.
		switch file := list[r.random.IntN(len(list))]; r.random.IntN(3) {
		case 0:
			_ = os.Remove(file)
		case 1:
			if info, err := os.Stat(file); err == nil {
				_ = os.Truncate(file, r.random.Int64N(info.Size()+1))
			}
		case 2:
			if info, err := os.Stat(file); err == nil {
				_ = r.scribble(file, 0, info.Size())
			}
		}
	}
}

// scribble overwrites a piece of a file with garbage, somewhere between two offsets.
func (r *Round) scribble(file string, from, until int64) (err error) {
	if from >= until {
		return nil
	}
	f, err := os.OpenFile(file, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	garbage := make([]byte, 1+r.random.IntN(200))
	for i := range garbage {
		garbage[i] = byte(r.random.IntN(256))
	}
	_, err = f.WriteAt(garbage, from+r.random.Int64N(until-from))
	return err
}

// tornWAL kills the server and damages the write-ahead log behind what was there at an earlier moment. What was
// acknowledged until then is there: SQLite takes the log up to the last commit that is whole. Every commit is synced to
// the disk before it is acknowledged, so that a disk that keeps its word tears none of them; here it does not.
func tornWAL(ctx context.Context, r *Round) error {
	if err := r.begin(ctx); err != nil {
		return err
	}
	for range 1 + r.random.IntN(3) {
		held := r.load.acknowledged()
		before, err := readWAL(r.file())
		if err != nil {
			return err
		}
		if err := r.some(ctx); err != nil {
			return err
		}
		r.servers[0].Kill()
		goOn := r.load.halt()
		if err = r.tear(before); err == nil {
			if _, err = r.start(ctx, 0); err == nil {
				err = r.takeBack(ctx, held)
			}
		}
		goOn()
		if err != nil {
			return err
		}
		if err := r.some(ctx); err != nil {
			return err
		}
	}
	return nil
}

// wal is what is read of a write-ahead log: the salts, which are others once it has begun anew, and where the frames
// end that have them. What follows is from before.
type wal struct {
	salts string
	end   int64
}

// readWAL reads the write-ahead log of a SQLite file, see https://sqlite.org/fileformat2.html#walformat.
func readWAL(file string) (wal, error) {
	const header, frameHeader, pageSize, headerSalts, frameSalts, salts = 32, 24, 8, 16, 8, 8
	text, err := os.ReadFile(file + "-wal")
	if err != nil || len(text) < header {
		return wal{}, err
	}
	w := wal{salts: string(text[headerSalts : headerSalts+salts]), end: header}
	frame := frameHeader + int(binary.BigEndian.Uint32(text[pageSize:]))
	for at := header; at+frame <= len(text); at += frame {
		if string(text[at+frameSalts:at+frameSalts+salts]) != w.salts {
			break
		}
		w.end = int64(at + frame)
	}
	return w, nil
}

// tear truncates the write-ahead log, or overwrites a piece of it, behind what was there before; anywhere if it has
// begun anew since, for then that is in the file.
func (r *Round) tear(before wal) error {
	now, err := readWAL(r.file())
	if err != nil || now.end == 0 {
		return err
	}
	from := int64(0)
	if now.salts == before.salts {
		from = before.end
	}
	if r.random.IntN(2) == 0 {
		return os.Truncate(r.file()+"-wal", from+r.random.Int64N(now.end-from+1))
	}
	return r.scribble(r.file()+"-wal", from, now.end)
}

// takeBack takes the acknowledgements of observations back that are not there any more, of which none may be among
// those that were held, and all have to be younger than those that are there.
func (r *Round) takeBack(ctx context.Context, held map[*parcel]bool) error {
	newest, oldestGone := int64(0), int64(math.MaxInt64)
	for p := range r.load.acknowledged() {
		var said struct {
			Seq           int64  `json:"seq"`
			ObservationID string `json:"observation_id"`
		}
		if err := json.Unmarshal(p.answer, &said); err != nil {
			return err
		}
		a, err := r.ask(ctx, r.url(), http.MethodGet, "/v1/observations/"+said.ObservationID, "", nil)
		switch {
		case err != nil:
			return err
		case a.status == http.StatusOK:
			newest = max(newest, said.Seq)
		case a.status != http.StatusNotFound:
			return fmt.Errorf("%s: %d %s", said.ObservationID, a.status, short(a.body))
		case held[p]:
			r.Lost++
		default:
			oldestGone = min(oldestGone, said.Seq)
			p.answer = nil
			r.Torn++
		}
	}
	if newest > oldestGone {
		r.wrong("entry %d is there, and %d, which is older, is not", newest, oldestGone)
	}
	return nil
}

// migrationKilled takes the schema back to an earlier one, and kills the migration several times before it may end.
func migrationKilled(ctx context.Context, r *Round) error {
	if err := r.begin(ctx); err != nil {
		return err
	}
	if err := r.servers[0].Stop(); err != nil {
		return err
	}
	if err := r.age(ctx); err != nil {
		return err
	}
	args := append([]string{"migrate", "--store", r.store}, r.login()...)
	for range 2 + r.random.IntN(4) {
		bounded, cancel := context.WithTimeout(ctx, r.between(5*time.Millisecond, r.migrating()))
		_, err := r.Binary.Command(bounded, args...)
		cancel()
		if err != nil && !killed(err) {
			r.wrong("a migration after one that was killed: %v", err)
		}
	}
	if _, err := r.Binary.Command(ctx, args...); err != nil {
		return fmt.Errorf("the migration does not end: %w", err)
	}
	if _, err := r.start(ctx, 0); err != nil {
		return err
	}
	return r.some(ctx)
}

// migrating is about how long a migration takes.
func (r *Round) migrating() time.Duration {
	if r.Engine == SQLite {
		return 300 * time.Millisecond
	}
	return 2 * time.Second
}

// age gives the store the schema of an earlier program.
func (r *Round) age(ctx context.Context) error {
	if r.Engine == SQLite {
		list, err := migrations.SQLite()
		if err != nil {
			return err
		}
		return sqliteolder.Make(ctx, r.file(), sqliteolder.First+r.random.IntN(len(list)-sqliteolder.First))
	}
	list, err := migrations.Cypher()
	if err != nil {
		return err
	}
	return neo4jolder.Make(ctx, r.URI, r.Username, r.Password, neo4jolder.First+r.random.IntN(len(list)-neo4jolder.First))
}
