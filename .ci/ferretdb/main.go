// Runs FerretDB 1.24 (MongoDB's protocol over PostgreSQL) for the tests of the job store on MongoDB:
//
//	ferretdb POSTGRESQL_URL SOCKET
//
// Prints its URL in one line, and exits when its standard input closes. FerretDB itself listens on SOCKET.
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
	logger := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))
	server, err := ferretdb.New(&ferretdb.Config{
		Listener:      ferretdb.ListenerConfig{Unix: socket},
		Handler:       "postgresql",
		PostgreSQLURL: url,
		Logger:        logger,
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
	go serializeRequests(listener, socket)
	fmt.Printf("ready mongodb://%s/\n", listener.Addr())
	_, _ = io.Copy(io.Discard, os.Stdin)
	_ = os.Remove(socket)
}

// Serializes the requests of all clients. MongoDB finds and changes a document atomically, but FerretDB takes two
// steps, between which it could return the same job to another worker.
func serializeRequests(listener net.Listener, socket string) {
	var mutex sync.Mutex
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
			for forward(client, server, &mutex) == nil {
			}
		}()
	}
}

func forward(client, server net.Conn, mutex *sync.Mutex) error {
	request, err := readMessage(client)
	if err != nil {
		return err
	}
	mutex.Lock()
	defer mutex.Unlock()
	if _, err := server.Write(request); err != nil || !expectsResponse(request) {
		return err
	}
	response, err := readMessage(server)
	if err == nil {
		_, err = client.Write(response)
	}
	return err
}

const (
	headerBytes = 16
	opMsg       = 2013
	moreToCome  = 2
)

// Reads a message, which starts with its length.
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

// Returns false if the client expects no response, as when it disconnects.
func expectsResponse(message []byte) bool {
	isMessage := binary.LittleEndian.Uint32(message[12:]) == opMsg && len(message) >= headerBytes+4
	return !isMessage || binary.LittleEndian.Uint32(message[headerBytes:])&moreToCome == 0
}
