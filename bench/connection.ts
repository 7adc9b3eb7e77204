/**
 * Keep-alive connection with one request at a time.
 *
 * @module
 */

import { connect, type Socket } from 'node:net'
import { readReply, type Reply } from './http.ts'

interface Waiting {
  resolve(reply: Reply): void
  reject(error: Error): void
}

/** A connection to a server on this machine. */
export class Connection {
  readonly #socket: Socket
  #received: Buffer = Buffer.alloc(0)
  #waiting: Waiting | null = null

  readonly #name: string

  /** Connects to a port; the name is for error messages. */
  constructor(name: string, port: number) {
    this.#name = name
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true })
    this.#socket.on('data', (bytes) => this.#read(bytes))
    this.#socket.on('error', (error) => this.#fail(new Error(`${name}: ${error.message}`)))
    this.#socket.on('close', () => this.#fail(new Error(`${name} closed the connection`)))
  }

  /** Sends a request and resolves to its response. The previous one must have arrived. */
  async send(request: Buffer): Promise<Reply> {
    if (this.#socket.destroyed) throw new Error(`${this.#name} closed the connection`)
    const { promise, resolve, reject } = Promise.withResolvers<Reply>()
    this.#waiting = { resolve, reject }
    this.#socket.write(request)
    return promise
  }

  close(): void {
    this.#socket.destroy()
  }

  #read(bytes: Buffer): void {
    this.#received = this.#received.length === 0 ? bytes : Buffer.concat([this.#received, bytes])
    const reply = readReply(this.#received)
    if (!reply) return
    this.#received = Buffer.alloc(0)
    const waiting = this.#waiting
    this.#waiting = null
    waiting?.resolve(reply)
  }

  #fail(error: Error): void {
    this.#waiting?.reject(error)
    this.#waiting = null
  }
}
