/** What a server sends for a person to read, as the mcp4h proposals name it, on the wire. */

import { recordOf } from '#core/json.ts'
import { describe, expect, it } from 'vitest'
import { freshWorkspace } from '../../support/worker/client.ts'

const NO_APPS = { 'io.modelcontextprotocol/clientCapabilities': {} }

describe('displayMessage', () => {
  it.each([
    ['write_file', { path: 'notes/b.md', content: 'x' }, 'Write to /notes/b.md'],
    ['move_file', { from: 'a.md', to: 'c.md' }, 'Move /a.md to /c.md'],
    ['delete_file', { path: 'a.md' }, 'Delete /a.md'],
  ])('of %s is the finished sentence, previewed and applied', async (name, args, sentence) => {
    const { put, call } = freshWorkspace()
    await put('/a.md', 'a')
    const previewed = await call(name, args, { preview: true })
    expect(previewed.result?._meta['displayMessage']).toBe(sentence)
    const applied = await call(name, args)
    expect(applied.result?._meta['displayMessage']).toBe(sentence)
  })

  it('is not sent where only a model reads the result', async () => {
    const { call } = freshWorkspace()
    const { result } = await call('write_file', { path: '/a', content: 'x' }, NO_APPS)
    expect(result?._meta).not.toHaveProperty('displayMessage')
  })
})

it('the listing has the templates of the call and of the result', async () => {
  const { result } = await freshWorkspace().send('tools/list')
  const tools: unknown = result?.['tools']
  const listed = (Array.isArray(tools) ? tools : []).map(recordOf)
  const annotationsOf = (name: string) =>
    recordOf(listed.find((tool) => tool['name'] === name)?.['annotations'])
  expect(annotationsOf('delegate')).toMatchObject({
    inputTemplate: expect.stringContaining('{'),
    outputTemplate: expect.stringContaining('{url}'),
  })
  expect(annotationsOf('transfer_link')).toMatchObject({
    outputTemplate: expect.stringContaining('{url}'),
  })
})
