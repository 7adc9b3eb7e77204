/**
 * Ports of this machine. A port is checked before anything is started, because the error is clearer
 * than the one of a process that fails to listen. Only loopback addresses are used, so that nothing
 * outside this machine can reach the files.
 *
 * @module
 */

import { once } from 'node:events'
import { createServer } from 'node:net'
import { UserError } from './errors.ts'
import { commandFor } from './invocation.ts'

/** The port of `npm start`, unless `PORT` names another. */
export const DEFAULT_PORT = 8787

/** The addresses of `localhost`. */
const LOOPBACK = ['127.0.0.1', '::1']

/** Error codes of an address that this machine does not have. */
const ABSENT = ['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL']

/**
 * Returns the port that the variable `PORT` names, else the default.
 *
 * @throws {UserError} For anything but 1 to 65535.
 */
export const readPort = (): number => parsePort(process.env['PORT'] ?? `${DEFAULT_PORT}`, 'PORT=')

/**
 * Parses a port.
 *
 * @param given How it was given, for the error.
 * @throws {UserError} For anything but 1 to 65535.
 */
export function parsePort(text: string, given: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (port < 1 || port > 65_535)
    throw new UserError(
      `Cannot use ${given}${text}: a port is a number from 1 to 65535. Use such a number`,
    )
  return port
}

/**
 * Returns the loopback addresses of this machine, after checking that the port is free on all of
 * them.
 *
 * @throws {UserError} If the port cannot be used.
 */
export async function loopbackHosts(port: number): Promise<string[]> {
  const hosts: string[] = []
  for (const host of LOOPBACK) {
    const code = await tryListen(host, port)
    if (code === null) hosts.push(host)
    else if (!ABSENT.includes(code)) throw new UserError(describe(code, port))
  }
  return hosts
}

function describe(code: string, port: number): string {
  const reason = code === 'EADDRINUSE' ? 'it is in use' : code
  const other = isUnprivileged(port + 1) ? port + 1 : DEFAULT_PORT
  return `Cannot use port ${port}: ${reason}. Choose another one: PORT=${other} ${commandFor('start')}`
}

/** Reports whether a port exists and needs no privileges; ports below 1024 may need some. */
const isUnprivileged = (port: number) => port >= 1024 && port <= 65_535

/** Returns the error code of listening there; null if it works. */
function tryListen(host: string, port: number): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>()
  const server = createServer()
  server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
  server.listen({ host, port }, () => server.close(() => resolve(null)))
  return promise
}

/** Returns a TCP port of 127.0.0.1 that was free a moment ago. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('A server has a port')
  return address.port
}
