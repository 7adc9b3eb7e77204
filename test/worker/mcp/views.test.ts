/** The server side of MCP Apps: the views as resources, and the tools that are shown in them. */

import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { COMMENTS_URI, DRAFT_URI } from '#core/wire.ts'
import { TOOLS } from '#worker/tools/index.ts'
import { freshWorkspace } from '../../support/worker/client.ts'

const MIME = 'text/html;profile=mcp-app'

const Ui = z.strictObject({
  csp: z.strictObject({
    connectDomains: z.array(z.string()),
    resourceDomains: z.array(z.string()),
    frameDomains: z.array(z.string()),
    baseUriDomains: z.array(z.string()),
  }),
  permissions: z.strictObject({}),
  prefersBorder: z.boolean(),
})
const Meta = z.looseObject({ ui: Ui })
const Listed = z.looseObject({
  uri: z.string(),
  mimeType: z.string(),
  annotations: z.looseObject({ type: z.string().optional() }).optional(),
  _meta: Meta.optional(),
})
const Read = z.looseObject({
  contents: z.tuple([z.looseObject({ mimeType: z.string(), text: z.string(), _meta: Meta })]),
})

const ADDRESSES = ['ui://edgewise/review', 'ui://edgewise/files']

describe('views', () => {
  it('are listed once, before the files, with the MCP App media type', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/a', 'x')
    const { result } = await workspace.send('resources/list')
    const listed = z.array(Listed).parse(result?.['resources'])
    expect(listed.map(({ uri }) => uri)).toEqual([
      ...ADDRESSES,
      DRAFT_URI,
      COMMENTS_URI,
      'file:///a',
    ])
    for (const view of listed.slice(0, 2)) {
      expect(view).toMatchObject({ mimeType: MIME, annotations: { type: 'application' } })
      expect(view._meta?.ui.prefersBorder).toBe(true)
    }
  })

  it.each(ADDRESSES)('%s is one page with the listed Content-Security-Policy', async (uri) => {
    const workspace = freshWorkspace()
    const { result } = await workspace.send('resources/read', { uri })
    const [page] = Read.parse(result).contents
    expect(page).toMatchObject({ uri, mimeType: MIME })
    expect(page.text).toMatch(/^<!doctype html>/i)
    const { result: list } = await workspace.send('resources/list')
    const listed = z
      .array(Listed)
      .parse(list?.['resources'])
      .find((entry) => entry.uri === uri)
    expect(page._meta).toMatchObject({ ui: listed?._meta?.ui })
  })

  it.each(['ui://edgewise/', 'ui://edgewise/other', 'ui://edgewise/review/x', 'ui://other/review'])(
    '%s is not found',
    async (uri) => {
      const { error } = await freshWorkspace().send('resources/read', { uri })
      expect(error).toMatchObject({ code: -32602 })
    },
  )
})

describe('tools', () => {
  const Tool = z.looseObject({
    name: z.string(),
    _meta: z.looseObject({
      ui: z
        .strictObject({ resourceUri: z.string().optional(), visibility: z.array(z.string()) })
        .optional(),
      'ui/resourceUri': z.string().optional(),
    }),
  })

  async function listed() {
    const { result } = await freshWorkspace().send('tools/list')
    return z.array(Tool).parse(result?.['tools'])
  }

  it('name their view under both keys', async () => {
    const views = (await listed()).flatMap(({ name, _meta: meta }) =>
      meta.ui?.resourceUri === undefined
        ? []
        : [[name, meta.ui.resourceUri, meta['ui/resourceUri']]],
    )
    const [review, files] = ADDRESSES
    expect(views).toEqual([
      ['list_roots', files, files],
      ['find_files', files, files],
      ['search_files', files, files],
      ['write_file', review, review],
      ['edit_file', review, review],
      ['move_file', review, review],
      ['copy_file', review, review],
      ['delete_file', review, review],
    ])
  })

  it('are visible to the model or to views only', async () => {
    for (const { name, _meta: meta } of await listed()) {
      const both = TOOLS.get(name)?.appOnly ? ['app'] : ['model', 'app']
      expect(meta.ui?.visibility ?? ['model', 'app'], name).toEqual(both)
    }
  })
})
