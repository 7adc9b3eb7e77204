/**
 * Thirty changes of two agents for the stories of a review: edits, a rewrite, a deletion, a file of secrets, a name that
 * looks like another, and new files.
 *
 * @module
 */

import type { Client } from '@modelcontextprotocol/client'
import { putFile } from './console-actions.ts'
import { call, write } from './waiting-drafts.ts'

/** A name that looks like `/docs/payment.md`. */
export const LOOKALIKE = '/docs/p\u0430yment.md'
const NOTES = Array.from({ length: 6 }, (_, at) => `/notes/${at}.txt`)

/** Files with 8 lines and more, of which the fourth is edited. */
export const ARTICLES = Array.from(
  { length: 20 },
  (_, at) => `/articles/${String(at).padStart(2, '0')}.md`,
)

/** The paths of all changes. */
export const PATHS = [
  ...ARTICLES,
  ...['/docs/guide.md', '/docs/gone.md', '/.env', LOOKALIKE],
  ...NOTES,
]

const many = (count: number, line: string) =>
  Array.from({ length: count }, (_, at) => `${line} ${at}\n`).join('')

/** The files before the changes. */
export const BEFORE: ReadonlyMap<string, string> = new Map([
  ...ARTICLES.map((path, at) => [path, many(8 + 3 * at, 'old')] as const),
  ['/docs/guide.md', many(60, 'guide')],
  ['/docs/gone.md', many(12, 'gone')],
])

/** Puts the files as they are before the changes. */
export async function putBefore(url: string): Promise<void> {
  for (const path of ['/.env', LOOKALIKE, ...NOTES])
    await fetch(`${url}/files${path}`, { method: 'DELETE' })
  for (const [path, text] of BEFORE) await putFile(url, path, text)
}

/** Edits a text in one place. */
export const edit = (agent: Client, path: string, find: string, replace: string) =>
  call(agent, 'edit_file', { path, edits: [{ find, replace }] })

/** Two agents propose 24 and 6 changes. Returns the first. */
export async function proposeThirty(connect: (label: string) => Promise<Client>): Promise<Client> {
  const writer = await connect('Writer')
  for (const path of ARTICLES) await edit(writer, path, 'old 3\n', 'new 3\nand more\n')
  await write(writer, '/docs/guide.md', many(50, 'rewritten'))
  await call(writer, 'delete_file', { path: '/docs/gone.md' })
  await write(writer, '/.env', 'TOKEN=1\n')
  await write(writer, LOOKALIKE, 'Pay here.\n')
  const keeper = await connect('Keeper')
  for (const path of NOTES) await write(keeper, path, many(5, path))
  return writer
}
