/** A workspace with files and links to their pages, made by its owner in the console. @module */

import { SELF } from 'cloudflare:test'
import { freshWorkspace } from './client.ts'
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
    const response = await workspace.fetch(`/files${encodeURI(path)}`, { method: 'PUT', body })
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

/** Opens a page of a link. */
export async function openPage({ url }: Pick<MadeLink, 'url'>, rest = '') {
  const response = await SELF.fetch(url + rest)
  return { response, status: response.status, html: await response.clone().text() }
}
