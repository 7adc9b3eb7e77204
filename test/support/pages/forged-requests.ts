/**
 * Requests that a page of another origin can make a browser send, with the cookies it has. All of
 * this runs in that page.
 *
 * @module
 */

/** A request that would change something, if it were believed. */
export interface ForgedRequest {
  readonly method: 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly body?: string
}

const CALL = (name: string, args: object) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })

/** Every route that changes something, with a valid body. */
export const FORGED_REQUESTS: readonly ForgedRequest[] = [
  { method: 'PUT', path: '/files/forged.txt', body: 'forged' },
  { method: 'POST', path: '/files/forged.txt', body: 'forged' },
  { method: 'DELETE', path: '/files/kept.txt' },
  { method: 'POST', path: '/files/kept.txt?_method=DELETE' },
  { method: 'POST', path: '/import', body: '' },
  { method: 'PUT', path: '/config', body: '{"approval":"none","roots":[{"path":"/forged"}]}' },
  { method: 'POST', path: '/config', body: '{"approval":"none"}' },
  { method: 'POST', path: '/sessions', body: '{"label":"forged","ttl_seconds":600}' },
  { method: 'DELETE', path: '/sessions/{session}' },
  { method: 'POST', path: '/requests/one/allow', body: '{"for":"session"}' },
  { method: 'POST', path: '/mcp', body: CALL('write_file', { path: '/forged.txt', content: 'x' }) },
  { method: 'POST', path: '/mcp', body: CALL('delete_file', { path: '/kept.txt' }) },
  { method: 'POST', path: '/w/other/mcp', body: CALL('write_file', { path: '/a', content: 'x' }) },
  { method: 'DELETE', path: '/mcp' },
  { method: 'POST', path: '/authorize', body: 'answer=allow&read=on&workspace=default&handle=x' },
  { method: 'POST', path: '/signin', body: 'secret=x&to=/' },
  { method: 'POST', path: '/signout', body: '' },
  { method: 'POST', path: '/grant', body: '{"label":"forged","scopes":["write"]}' },
  { method: 'POST', path: '/attempt?from=here' },
]

/** Addresses that are only asked for. */
export const READ_PATHS = [
  '/signout',
  '/files/kept.txt',
  '/files/',
  '/config',
  '/config/flags',
  '/export',
  '/sessions',
  '/requests',
]

const TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'application/json',
  'application/x-tar',
] as const

/** Sends everything by script, in each way that a browser knows; answers what could be read. */
export async function forge([server, deeds, looks, types]: readonly [
  server: string,
  deeds: readonly ForgedRequest[],
  looks: readonly string[],
  types: readonly string[],
]): Promise<string[]> {
  const read: string[] = []
  const send = async (path: string, init: RequestInit) => {
    const answer = await fetch(server + path, { credentials: 'include', ...init }).catch(() => null)
    const text = answer?.type === 'opaque' ? '' : await answer?.text().catch(() => '')
    if (answer?.ok && text) read.push(`${init.method ?? 'GET'} ${path}: ${text.slice(0, 80)}`)
  }
  for (const { method, path, body = null } of deeds) {
    for (const type of types) {
      const headers = { 'content-type': type }
      const init = { method, body, headers }
      await send(path, init)
      await send(path, { ...init, headers: { ...headers, 'x-edgewise-console': '1' } })
      await send(path, { ...init, headers: { ...headers, 'x-http-method-override': 'DELETE' } })
      if (method === 'POST') await send(path, { ...init, mode: 'no-cors' })
      if (method === 'POST') navigator.sendBeacon(server + path, new Blob([body ?? ''], { type }))
    }
  }
  for (const path of looks) {
    await send(path, {})
    for (const tag of ['img', 'script', 'link'] as const) {
      const element = document.createElement(tag)
      element.setAttribute(tag === 'link' ? 'href' : 'src', server + path)
      if (element instanceof HTMLLinkElement) element.rel = 'stylesheet'
      const { promise, resolve } = Promise.withResolvers<boolean>()
      element.onload = () => resolve(true)
      element.onerror = () => resolve(false)
      document.head.append(element)
      if (await promise) read.push(`${tag} ${path}`)
    }
  }
  const socket = new WebSocket(`${server.replace('http', 'ws')}/mcp`)
  const opened = await new Promise((resolve) => {
    socket.onopen = () => resolve(true)
    socket.onerror = () => resolve(false)
  })
  if (opened) read.push('WebSocket')
  return read
}

export const forgery = (server: string, session: string) =>
  [server, forgedRequestsFor(session), READ_PATHS, TYPES] as const

export const forgedRequestsFor = (session: string): ForgedRequest[] =>
  FORGED_REQUESTS.map((deed) => ({ ...deed, path: deed.path.replace('{session}', session) }))

/** Submits a form, which leads the whole page there. A text form makes any body of a single field. */
export function submitForm([url, body, type]: readonly [
  url: string,
  body: string,
  type: string,
]): void {
  const form = document.createElement('form')
  Object.assign(form, { method: 'POST', action: url, enctype: type })
  const pairs = type === 'text/plain' ? [[body.slice(0, -1), '']] : [...new URLSearchParams(body)]
  for (const [name = '', value = ''] of pairs) {
    const field = document.createElement('input')
    Object.assign(field, { name, value, type: 'hidden' })
    form.append(field)
  }
  document.body.append(form)
  form.submit()
}
