// FerretDB 1.24 (MongoDB's protocol) over a PostgreSQL, for the tests of the job store on MongoDB:
//
//	ferretdb POSTGRESQL_URL SOCKET
//
// Says in one line where it listens, and ends with its input. SOCKET is where FerretDB itself listens.
package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"os"
	"sync"

	"github.com/FerretDB/FerretDB/ferretdb"
)

func main() {
	url, socket := os.Args[1], os.Args[2]
	faults := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))
	server, err := ferretdb.New(&ferretdb.Config{
		Listener:      ferretdb.ListenerConfig{Unix: socket},
		Handler:       "postgresql",
		PostgreSQLURL: url,
		Logger:        faults,
	})
	if err != nil {
		log.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		if err := server.Run(context.Background()); err != nil {
			log.Fatal(err)
		}
	}()
	go takeTurns(listener, socket)
	fmt.Printf("ready mongodb://%s/\n", listener.Addr())
	_, _ = io.Copy(io.Discard, os.Stdin)
	_ = os.Remove(socket)
}

// One request at a time, whoever asks: MongoDB finds and changes a document in one step, FerretDB in two, between which
// it would give the same job to another worker.
func takeTurns(listener net.Listener, socket string) {
	var turn sync.Mutex
	for {
		client, err := listener.Accept()
		if err != nil {
			log.Fatal(err)
		}
		go func() {
			defer client.Close()
			server, err := net.Dial("unix", socket)
			if err != nil {
				log.Print(err)
				return
			}
			defer server.Close()
			for ask(client, server, &turn) == nil {
			}
		}()
	}
}

func ask(client, server net.Conn, turn *sync.Mutex) error {
	request, err := readMessage(client)
	if err != nil {
		return err
	}
	turn.Lock()
	defer turn.Unlock()
	if _, err := server.Write(request); err != nil || !hasAnswer(request) {
		return err
	}
	answer, err := readMessage(server)
	if err == nil {
		_, err = client.Write(answer)
	}
	return err
}

const (
	headerBytes = 16
	opMsg       = 2013
	moreToCome  = 2
)

// A message begins with its length.
func readMessage(from io.Reader) ([]byte, error) {
	header := make([]byte, headerBytes)
	if _, err := io.ReadFull(from, header); err != nil {
		return nil, err
	}
	length := binary.LittleEndian.Uint32(header)
	if length < headerBytes {
		return nil, fmt.Errorf("a message of %d bytes", length)
	}
	message := append(header, make([]byte, length-headerBytes)...)
	_, err := io.ReadFull(from, message[headerBytes:])
	return message, err
}

// A driver that waits for nothing says so: as it says goodbye.
func hasAnswer(message []byte) bool {
	isMessage := binary.LittleEndian.Uint32(message[12:]) == opMsg && len(message) >= headerBytes+4
	return !isMessage || binary.LittleEndian.Uint32(message[headerBytes:])&moreToCome == 0
}
