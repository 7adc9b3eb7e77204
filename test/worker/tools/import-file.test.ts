/** `import_file`: what it fetches, from where, how often, and what of that others learn. */

import type { CallServices } from '#worker/call/context.ts'
import { call } from '#worker/call/call.ts'
import {
  MAX_FETCH_MS,
  MAX_FETCH_REDIRECTS,
  MAX_FETCHES,
  MAX_FETCHES_OF_ONE,
  MAX_UNSIZED_FETCH_BYTES,
} from '#worker/limits.ts'
import { importFile } from '#worker/tools/import-file.ts'
import { TOOLS } from '#worker/tools/index.ts'
import { listTools } from '#worker/mcp/server.ts'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { serveInternet, type Server } from '../../support/memory/internet.ts'
import { freshWorkspace } from '../../support/worker/client.ts'
import { approveAll } from '../../support/worker/draft-tools.ts'
import { withToolContext, type TestContext } from '../../support/worker/tool-context.ts'

const HOST = 'files.example.com'
const URL_OF_FILE = `https://${HOST}/a/photo?sig=secret`

afterEach(() => {
  serveInternet(null)
  vi.useRealTimers()
})

/** Serves the internet, and counts the requests. */
function serve(server: Server): Request[] {
  const requests: Request[] = []
  serveInternet((request) => {
    requests.push(request)
    return server(request)
  })
  return requests
}

const sized = (body: string, headers: Record<string, string> = {}) =>
  new Response(body, { headers: { 'content-length': String(body.length), ...headers } })

type Meta = Readonly<Record<string, unknown>>

const CONFIG = { import_hosts: [HOST, 'other.example.com'] }

function withImports<T>(
  work: (
    imported: (file: unknown, meta?: Meta, path?: string, budget?: string) => Promise<Answer>,
    context: TestContext,
  ) => Promise<T>,
  config: Meta = CONFIG,
): Promise<T> {
  return withToolContext(config, (context) => {
    const tools = new Map([...TOOLS, [importFile.name, importFile]])
    const services: CallServices = { ...context.services, tools }
    return work(async (file, meta, path = '/in/photo', budget = context.caller.budget) => {
      const args = { file, path }
      const caller = { ...context.caller, budget }
      const answer = await call({ name: 'import_file', args, meta, caller }, services)
      if (!answer.ok) return { code: answer.error.code, message: answer.error.message }
      const { structuredContent = {}, isError } = answer.value
      const content = JSON.stringify(answer.value.content)
      return { ...structuredContent, ...(isError && { isError }), message: content }
    }, context)
  })
}

type Answer = Readonly<Record<string, unknown>> & { readonly message: string }

describe('import_file', () => {
  it('writes what ChatGPT hands over, and says from where', () =>
    withImports(async (imported, { text }) => {
      const requests = serve(() => sized('bytes'))
      const file = { download_url: URL_OF_FILE, file_id: 'f', mime_type: 'text/html', extra: 1 }
      expect(await imported(file)).toMatchObject({ path: 'in/photo', host: HOST, bytes: 5 })
      expect(await text('/in/photo')).toBe('bytes')
      expect(requests.map(({ url }) => url)).toEqual([URL_OF_FILE])
    }))

  it('takes a URL alone', () =>
    withImports(async (imported) => {
      serve(() => sized('bytes'))
      expect(await imported(URL_OF_FILE)).toMatchObject({ host: HOST })
    }))

  it('sends nothing of its caller', () =>
    withImports(async (imported) => {
      const [request] = await (async () => {
        const requests = serve(() => sized('bytes'))
        await imported(URL_OF_FILE)
        return requests
      })()
      expect([...(request?.headers ?? [])].map(([name]) => name).toSorted()).toEqual([
        'accept',
        'accept-encoding',
      ])
    }))

  it('names the host in the history, and nothing else of the URL', () =>
    withImports(async (imported, { owner }) => {
      serve(() => sized('bytes'))
      await imported(URL_OF_FILE)
      const [change] = owner.store.listChanges({ limit: 1 }).changes
      expect(change?.intent).toContain(HOST)
      expect(JSON.stringify(change)).not.toContain('secret')
    }))

  it('shows a preview of the bytes, and is refused with its id where they differ', () =>
    withImports(async (imported, { text }) => {
      let body = 'first'
      const requests = serve(() => sized(body))
      const shown = await imported(URL_OF_FILE, { preview: true })
      expect(await text('/in/photo')).toBeNull()
      expect(requests).toHaveLength(1)
      const id = /ui:\/\/import_file\/([^."]+)/.exec(shown.message)?.[1]
      body = 'other'
      const meta = { 'dev.edgewise/preview': id }
      expect(await imported(URL_OF_FILE, meta)).toMatchObject({ isError: true })
      expect(await text('/in/photo')).toBeNull()
      body = 'first'
      expect(await imported(URL_OF_FILE, meta)).toMatchObject({ bytes: 5 })
      expect(await text('/in/photo')).toBe('first')
    }))

  it.each([
    ['a host that is not listed', 'https://evil.example.com/x', 'HOST_NOT_LISTED'],
    ['a name that ends like a listed one', `https://x${HOST}/x`, 'HOST_NOT_LISTED'],
    ['a listed name as a user', `https://${HOST}@evil.example.com/`, 'INVALID_FILE'],
    ['a user name', `https://me@${HOST}/`, 'INVALID_FILE'],
    ['a password', `https://me:pw@${HOST}/`, 'INVALID_FILE'],
    ['clear text', `http://${HOST}/`, 'INVALID_FILE'],
    ['a port', `https://${HOST}:8443/`, 'INVALID_FILE'],
    ['an address', 'https://127.0.0.1/', 'INVALID_FILE'],
    ['an address in another form', 'https://0x7f000001/', 'INVALID_FILE'],
    ['an IPv6 address', 'https://[::1]/', 'INVALID_FILE'],
    ['a file', 'file:///etc/passwd', 'INVALID_FILE'],
    ['data', 'data:text/plain,x', 'INVALID_FILE'],
    ['no URL', 'photo', 'INVALID_FILE'],
    ['this machine, which is not listed', 'http://localhost:1/', 'HOST_NOT_LISTED'],
  ])('fetches nothing of %s', (_, url, code) =>
    withImports(async (imported, { text }) => {
      const requests = serve(() => sized('bytes'))
      const answer = await imported({ download_url: url })
      expect(answer).toMatchObject({ isError: true })
      expect(answer.message).toContain(code)
      expect(answer.message).not.toContain('pw@')
      expect(requests).toEqual([])
      expect(await text('/in/photo')).toBeNull()
    }),
  )

  it.each([
    ['to another listed host', 'https://other.example.com/x', null],
    ['to a path', '/x', null],
    ['to a host that is not listed', 'https://evil.example.com/x', 'HOST_NOT_LISTED'],
    ['to an address', 'https://[::1]/x', 'INVALID_FILE'],
    ['to clear text', `http://${HOST}/x`, 'INVALID_FILE'],
    ['with credentials', `https://me:pw@${HOST}/x`, 'INVALID_FILE'],
  ])('follows a redirect %s only if it may', (_, location, code) =>
    withImports(async (imported) => {
      const requests = serve(({ url }) =>
        url === URL_OF_FILE
          ? new Response(null, { status: 302, headers: { location } })
          : sized('bytes'),
      )
      const answer = await imported(URL_OF_FILE)
      if (code === null) expect(answer).toMatchObject({ bytes: 5 })
      else expect(answer.message).toContain(code)
      expect(requests).toHaveLength(code === null ? 2 : 1)
    }),
  )

  it('follows a number of redirects', () =>
    withImports(async (imported) => {
      let left = MAX_FETCH_REDIRECTS
      serve(() =>
        left-- > 0 ? new Response(null, { status: 302, headers: { location: '/x' } }) : sized('x'),
      )
      expect(await imported(URL_OF_FILE)).toMatchObject({ bytes: 1 })
      left = MAX_FETCH_REDIRECTS + 1
      expect((await imported(URL_OF_FILE)).message).toContain('FETCH_FAILED')
    }))

  it.each<[string, () => Response, string]>([
    ['an error', () => new Response('no', { status: 403 }), 'it answers 403'],
    ['a part', () => new Response('no', { status: 206 }), 'it answers 206'],
    ['an encoding', () => sized('x', { 'content-encoding': 'gzip' }), 'content encoding'],
    ['more than it says', () => sized('bytes', { 'content-length': '2' }), 'FETCH_FAILED'],
    ['less than it says', () => sized('bytes', { 'content-length': '9' }), 'FETCH_FAILED'],
    ['no length', () => sized('bytes', { 'content-length': 'x' }), 'Content-Length is invalid'],
    ['too much', () => sized('x', { 'content-length': '1000000000' }), 'FILE_TOO_LARGE'],
  ])('writes nothing of a host that sends %s', (_, answer, expected) =>
    withImports(async (imported, { text }) => {
      serve(answer)
      expect((await imported(URL_OF_FILE)).message).toContain(expected)
      expect(await text('/in/photo')).toBeNull()
    }),
  )

  it('takes a body without a length up to a limit', () =>
    withImports(async (imported) => {
      let size = MAX_UNSIZED_FETCH_BYTES
      serve(() => new Response(new Blob([new Uint8Array(size)]).stream()))
      expect(await imported(URL_OF_FILE)).toMatchObject({ bytes: size })
      size++
      expect((await imported(URL_OF_FILE)).message).toContain('does not say the length')
    }))

  it('ends after a time, and fetches a number of files at the same time', () =>
    withImports(async (imported) => {
      const limit = new AbortController()
      const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal)
      serve(() => new Response(new ReadableStream()))
      const fetchFor = (budget: string) => imported(URL_OF_FILE, undefined, '/in/photo', budget)
      const waiting = Array.from({ length: MAX_FETCHES }, (_, at) =>
        fetchFor(`principal ${Math.floor(at / MAX_FETCHES_OF_ONE)}`),
      )
      await vi.waitFor(() => expect(timeout).toHaveBeenCalledTimes(MAX_FETCHES))
      expect(timeout).toHaveBeenCalledWith(MAX_FETCH_MS)
      expect((await fetchFor('another')).message).toContain('other files are being fetched')
      limit.abort()
      for (const answer of await Promise.all(waiting)) expect(answer.message).toContain('took more')
      timeout.mockRestore()
    }))

  it('leaves slots to others while one principal fetches its share', () =>
    withImports(async (imported) => {
      const held = new Response(new ReadableStream())
      const limit = new AbortController()
      const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal)
      serve((request) => (request.url === URL_OF_FILE ? held.clone() : sized('bytes')))
      const waiting = Array.from({ length: MAX_FETCHES_OF_ONE }, () => imported(URL_OF_FILE))
      await vi.waitFor(() => expect(timeout).toHaveBeenCalledTimes(MAX_FETCHES_OF_ONE))
      expect((await imported(URL_OF_FILE)).message).toContain('other files are being fetched')
      const other = await imported(`https://${HOST}/b`, undefined, '/in/other', 'another')
      expect(other).toMatchObject({ bytes: 5 })
      limit.abort()
      await Promise.all(waiting)
      timeout.mockRestore()
    }))

  it('fetches nothing for a path that the caller may not write', () =>
    withImports(
      async (imported) => {
        const requests = serve(() => sized('bytes'))
        expect(await imported(URL_OF_FILE)).toMatchObject({ isError: true })
        expect(requests).toEqual([])
      },
      { ...CONFIG, read_only: true },
    ))

  it('waits for an approval with the bytes that came, and is never fetched again', () =>
    withImports(
      async (imported, context) => {
        const requests = serve(() => sized('first'))
        expect(await imported(URL_OF_FILE)).toMatchObject({ bytes: 5 })
        expect(await context.text('/in/photo')).toBeNull()
        expect(await approveAll(context)).toMatchObject({ ok: true })
        expect(await context.text('/in/photo')).toBe('first')
        expect(requests).toHaveLength(1)
      },
      { ...CONFIG, approval: 'review' },
    ))

  it('is a conflict where its file has changed since, and is not fetched again', () =>
    withImports(
      async (imported, context) => {
        const requests = serve(() => sized('first'))
        await imported(URL_OF_FILE)
        await context.write({ '/in/photo': 'of another' })
        const approved = await approveAll(context)
        expect(approved).not.toMatchObject({ ok: true })
        expect(await context.text('/in/photo')).toBe('of another')
        expect(requests).toHaveLength(1)
      },
      { ...CONFIG, approval: 'review' },
    ))

  it('fetches once where another change comes between', () =>
    withImports(async (imported, { text, write }) => {
      const requests = serve(async () => {
        await write({ '/in/photo': 'of another' })
        return sized('bytes')
      })
      expect(await imported(URL_OF_FILE)).toMatchObject({ bytes: 5 })
      expect(await text('/in/photo')).toBe('bytes')
      expect(requests).toHaveLength(1)
    }))
})

describe('the list of tools', () => {
  it('has it with its file parameter, as a tool that reaches other systems', () =>
    withToolContext(CONFIG, async ({ caller }) => {
      const { tools } = listTools({ tools: new Map([['import_file', importFile]]) }, caller)
      expect(tools).toMatchObject([
        {
          name: 'import_file',
          _meta: { 'openai/fileParams': ['file'] },
          annotations: { openWorldHint: true, readOnlyHint: false },
        },
      ])
    }))

  it('lacks it where no host is listed, and a workspace lists none by itself', async () => {
    const { fetch, call: send } = freshWorkspace()
    const { error } = await send('import_file', { file: URL_OF_FILE, path: '/a' })
    expect(error?.message).toContain('Unknown tool')
    const body = JSON.stringify({ import_hosts: [HOST] })
    const response = await fetch('/config', { method: 'PUT', body })
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('hosts of the deployment')
  })
})
