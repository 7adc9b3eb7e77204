/**
 * Checks a port before anything is started, because its error message is clearer than the one of a
 * process that fails to listen. Only loopback addresses are used, so that nothing outside this
 * machine can reach the files.
 *
 * @module
 */

import { createServer } from 'node:net'
import { StartError } from './start-error.ts'

/** The addresses of `localhost`. */
const LOOPBACK = ['127.0.0.1', '::1']

/** Error codes of an address that this machine does not have. */
const ABSENT = ['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL']

/**
 * Parses a port.
 *
 * @throws {StartError} For anything but 1 to 65535.
 */
export function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (port < 1 || port > 65_535)
    throw new StartError(`Cannot use PORT=${text}: a port is a number from 1 to 65535`)
  return port
}

/**
 * Returns the loopback addresses of this machine, after checking that the port is free on all of
 * them.
 *
 * @throws {StartError} If the port cannot be used.
 */
export async function loopbackHosts(port: number): Promise<string[]> {
  const hosts: string[] = []
  for (const host of LOOPBACK) {
    const code = await tryListen(host, port)
    if (code === null) hosts.push(host)
    else if (!ABSENT.includes(code)) throw new StartError(sentence(code, port))
  }
  return hosts
}

function sentence(code: string, port: number): string {
  if (code === 'EADDRINUSE')
    return `Cannot use port ${port}, it is taken. Choose another: PORT=${nextPort(port)} npm start`
  return `Cannot use port ${port} (${code}). Choose another: PORT=8787 npm start`
}

const nextPort = (port: number) => (port === 65_535 ? 8787 : port + 1)

/** Returns the error code of listening there; null if it works. */
function tryListen(host: string, port: number): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>()
  const server = createServer()
  server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
  server.listen({ host, port }, () => server.close(() => resolve(null)))
  return promise
}
