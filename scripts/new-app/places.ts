/**
 * Where the files of a new app are written: a workspace over HTTP, or a folder of this machine.
 *
 * @module
 */

import { mkdir, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describeStranger, describeSystemError, UserError } from '../errors.ts'
import { commandFor } from '../invocation.ts'
import { signIn, type Credentials } from '../import/sign-in.ts'
import { errorBody } from '../sync/wire.ts'
import type { Target } from './arguments.ts'

/** A place for files. Paths are those of a workspace, such as `/tasks/board.md`. */
export interface Place {
  /** What the user calls it. */
  readonly title: string
  has(path: string): Promise<boolean>
  /**
   * Creates a file.
   *
   * @throws {UserError} If there is one already, or it cannot be written.
   */
  create(path: string, text: string): Promise<void>
}

/** Returns the error of a file or folder that exists already. */
export const existsError = (path: string, title: string, advice = 'Choose another name') =>
  new UserError(`Cannot create ${path} in ${title}: it exists already. ${advice}`)

/** What is made, in messages. */
export type Made = 'app' | 'skill'

/** Opens the place that the command line names; signs in if a server requires it. */
export const openPlace = (to: Target, made: Made): Place =>
  'folder' in to
    ? openFolder(to.folder)
    : openWorkspace(to.base, { secret: process.env['EDGEWISE_OWNER_SECRET'], made })

/** Opens a folder, which need not exist. */
function openFolder(folder: string): Place {
  return {
    title: folder,
    has: (path) => Promise.resolve(existsSync(join(folder, path))),
    async create(path, text) {
      const file = join(folder, path)
      try {
        await mkdir(dirname(file), { recursive: true })
        await writeFile(file, text, { flag: 'wx' })
      } catch (error) {
        if (existsSync(file)) throw existsError(path, folder)
        throw new UserError(
          `Cannot create ${file}: ${describeSystemError(error)}. Choose another folder`,
        )
      }
    },
  }
}

interface WorkspaceOptions {
  readonly secret: string | undefined
  readonly made: Made
}

function openWorkspace(base: string, { secret, made }: WorkspaceOptions): Place {
  let credentials: Credentials = {}
  const send = async (path: string, init: RequestInit): Promise<Reply> => {
    const url = `${base}/files${encodeURI(path)}`
    const reply = await request(url, init, credentials)
    if (reply.status !== 401) return reply
    credentials = await signIn(new URL(base), secret)
    return request(url, init, credentials)
  }
  return {
    title: base,
    async has(path) {
      const reply = await send(path, {})
      if (reply.ok) return true
      if (reply.code === 'FILE_NOT_FOUND') return false
      throw refused(reply, made)
    },
    async create(path, text) {
      const headers = { 'content-type': 'text/plain', 'if-none-match': '*' }
      const reply = await send(path, { method: 'PUT', headers, body: text })
      if (reply.status === 412) throw existsError(path, base)
      if (!reply.ok) throw refused(reply, made)
    },
  }
}

interface Reply {
  readonly ok: boolean
  readonly status: number
  /** Code and message of an error of ours. */
  readonly code: string
  readonly message: string | null
  /** Where a redirect leads. */
  readonly location: string | null
}

async function request(
  url: string,
  { headers, ...init }: RequestInit,
  credentials: Credentials,
): Promise<Reply> {
  try {
    // Redirects are not followed: the credentials are for this server only.
    const all = { ...Object.fromEntries(new Headers(headers)), ...credentials, connection: 'close' }
    const response = await fetch(url, { ...init, headers: all, redirect: 'manual' })
    const { ok, status } = response
    const { data } = errorBody.safeParse(await (ok ? response.body?.cancel() : readJson(response)))
    const location = response.headers.get('location')
    return { ok, status, code: data?.code ?? '', message: data?.message ?? null, location }
  } catch (error) {
    const { origin } = new URL(url)
    const reason = describeSystemError(error instanceof Error ? error.cause : error)
    throw new UserError(
      `Cannot reach ${origin}: ${reason}. Start the server with ${commandFor('start')}, or add --folder`,
    )
  }
}

const readJson = (response: Response): Promise<unknown> => response.json().catch(() => null)

const refused = ({ status, message, location }: Reply, made: Made) =>
  new UserError(
    message === null
      ? describeStranger(status, location)
      : `The server refused the ${made}: ${message}`,
  )
