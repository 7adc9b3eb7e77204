/** Which workspace a sync talks to over HTTP, and what every request to it needs. @module */

import type { ZodType } from 'zod'
import { describeStranger, UserError } from '../errors.ts'
import { readJson, refusalOf, type Send } from './requests.ts'

/** Which folder of which workspace is in step with which folder on disk. */
export interface Ends {
  /** Address of the workspace, without a trailing slash. */
  readonly base: string
  readonly to: string
  /** The folder on disk. */
  readonly folder: string
}

/** The same, with what sends a request. */
export interface Context extends Ends {
  readonly send: Send
}

/** Encodes a path for an address. */
export const encodePath = (path: string) => path.split('/').map(encodeURIComponent).join('/')

/** The address of a file. */
export const at = ({ to }: Ends, name: string) =>
  `/files${encodePath(to === '/' ? `/${name}` : `${to}/${name}`)}`

/** Parses the body of a response, or throws what it says. */
export async function parse<T>(schema: ZodType<T>, response: Response): Promise<T> {
  if (!response.ok) throw await refusalOf(response)
  const read = schema.safeParse(await readJson(response))
  if (read.success) return read.data
  throw new UserError(describeStranger(response.status, null))
}
