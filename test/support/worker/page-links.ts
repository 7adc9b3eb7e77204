/** A workspace with files and links to their pages, made by its owner in the console. @module */

import { runInDurableObject, SELF } from 'cloudflare:test'
import { freshWorkspace } from './client.ts'
import { stubOf } from './object-life.ts'
import { FROM_OWN_PAGE } from './requests.ts'

type Workspace = ReturnType<typeof freshWorkspace>

/** A link, as the owner gets it. */
export interface MadeLink {
  readonly id: string
  readonly url: string
  readonly version: number
  readonly files: number
  readonly hidden: number
}

/** Uploads files by their paths. */
export async function putFiles(
  workspace: Workspace,
  files: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>,
): Promise<void> {
  for (const [path, body] of Object.entries(files)) {
    const response = await workspace.fetch(
      `/files${path.split('/').map(encodeURIComponent).join('/')}`,
      { method: 'PUT', body },
    )
    if (!response.ok) throw new Error(await response.text())
  }
}

/** Asks for a link as the console does. */
export const askForLink = (workspace: Workspace, body: object): Promise<Response> =>
  workspace.fetch('/page-links', {
    method: 'POST',
    headers: { ...FROM_OWN_PAGE, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

/** Makes a link. */
export async function makeLink(workspace: Workspace, path: string, more: object = {}) {
  const response = await askForLink(workspace, { path, ...more })
  if (response.status !== 201) throw new Error(await response.text())
  return response.json<MadeLink>()
}

/** A workspace with some files and a link to one of its paths. */
export async function sharedFiles(
  files: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>,
  path: string,
  more: object = {},
) {
  const workspace = freshWorkspace()
  await putFiles(workspace, files)
  const link = await makeLink(workspace, path, more)
  return { workspace, link, open: (rest = '') => openPage(link, rest) }
}

/** Opens a page of a link. `html` is without its style and without the secret in its addresses. */
export async function openPage({ url }: Pick<MadeLink, 'url'>, rest = '') {
  const response = await SELF.fetch(url + rest)
  const text = await response.clone().text()
  const html = text
    .replace(/<style>[^]*?<\/style>/, '')
    .replaceAll(new URL(url).pathname, '/p/link/')
  return { response, status: response.status, html }
}

/** The links as the owner's list has them. */
export async function listLinks(workspace: Workspace): Promise<readonly unknown[]> {
  const { links } = await (await workspace.fetch('/page-links')).json<{ links: unknown[] }>()
  return links
}

/** Reads one number of the database of a workspace. */
export const numberIn = (
  workspace: Workspace,
  query: string,
  ...values: SqlStorageValue[]
): Promise<number> =>
  runInDurableObject(stubOf(workspace), (_, { storage }) =>
    Number(Object.values(storage.sql.exec(query, ...values).one())[0]),
  )
