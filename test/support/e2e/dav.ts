/** A session link of a running product, as the password of its WebDAV. @module */

/** Where programs find a workspace, and their password. */
export interface DavAddress {
  readonly url: string
  readonly password: string
}

/** Has the owner make a link to a workspace. */
export async function davAddress(
  server: { readonly url: string },
  workspace: string,
  wish: Readonly<Record<string, unknown>> = {},
): Promise<DavAddress> {
  const base = `${server.url}/w/${workspace}`
  const answer = await fetch(`${base}/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ label: 'a program', ttl_seconds: 3600, ...wish }),
  })
  const { url } = (await answer.json()) as { url: string }
  const password = /\/s\/([^/]+)\/mcp$/.exec(url)?.[1]
  if (password === undefined) throw new Error(`No link was made: ${answer.status}`)
  return { url: `${base}/dav`, password }
}

/** The requests of the owner to a workspace, as `ownerOf` takes them. */
export const ownedWorkspace = (server: { readonly url: string }, workspace: string) => ({
  base: `${server.url}/w/${workspace}`,
  fetch: (path: string, init?: RequestInit) => fetch(`${server.url}/w/${workspace}${path}`, init),
})
