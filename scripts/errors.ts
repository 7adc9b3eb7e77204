/**
 * Errors that scripts print for the user, without a stack. What they quote may come from a server or a file name, so that
 * no character of it can command the terminal. Tested by `test/e2e/import.slow.test.ts`.
 *
 * @module
 */

import { visible } from '../core/visible.ts'

/** A failure that the user can act on; its message says what to do. */
export class UserError extends Error {}

/**
 * Runs a script; prints the message of a {@link UserError} and sets exit code 1.
 *
 * @throws Any other error, which is a bug.
 */
export async function runScript(script: () => Promise<void>): Promise<void> {
  try {
    await script()
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    console.error(printable(error.message))
    process.exitCode = 1
  }
}

/** Names what a terminal would obey or hide; lines stay. */
export const printable = (text: string): string => text.split('\n').map(visible).join('\n')

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'its disk is read-only',
  ENOSPC: 'its disk is full',
  EEXIST: 'it is a file',
  ENOTDIR: 'a part of its path is a file',
  ECONNREFUSED: 'no server is listening there',
  ENOTFOUND: 'unknown host',
  ECONNRESET: 'the connection was closed',
  EPIPE: 'the connection was closed',
}

/** Returns the reason of a system error, without path, address and stack. */
export function describeSystemError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return REASONS['code' in error ? String(error.code) : ''] ?? error.message
}

/** Describes a response that no server of ours gives. */
export const describeStranger = (status: number, location: string | null): string =>
  location === null
    ? `Cannot use the address: what answers there is no Edgewise server (status ${status}). Check the address`
    : `Cannot use the address: it redirects to ${location}. Use the address that it leads to`
