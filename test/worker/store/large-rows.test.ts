/** Large caller data in the rows of the store, which have at most 2 MB. */

import { MAX_INTENT_LENGTH, MAX_PREVIEW_BYTES } from '#worker/limits.ts'
import { fitFacts } from '#worker/changes/fit-facts.ts'
import type { Facts } from '#worker/changes/facts.ts'
import { parsePath } from '#core/path.ts'
import { describe, expect, it } from 'vitest'
import { freshWorkspace, type Reply } from '../../support/worker/client.ts'
import { seed, stubOf } from '../../support/worker/object-life.ts'

const KB = 1000
const changeOf = ({ result }: Reply) => Object(result?._meta['dev.edgewise/change'])
/** Lines that all differ from those of another seed. */
const lines = (seed: string, bytes: number) => `${seed}${'x'.repeat(18)}\n`.repeat(bytes / 20)

async function resource({ send }: ReturnType<typeof freshWorkspace>, uri: string) {
  const { result } = await send('resources/read', { uri })
  return String(Object(result?.['contents'])[0]?.text)
}

describe('a preview of a large file', () => {
  it.each([600 * KB, 1_800 * KB])(
    'of %i bytes is shown, names what it omits, and is applied',
    async (size) => {
      const workspace = freshWorkspace()
      await workspace.put('/a', lines('a', size))
      const args = { path: 'a', content: lines('b', size) }
      const preview = await workspace.call('write_file', args, { preview: true })
      const change = changeOf(preview)
      expect(change).toMatchObject({
        applied: false,
        stats: { added: size / 20, removed: size / 20 },
      })

      const facts = JSON.parse(await resource(workspace, `${change.review}.json`))
      const lost = { added: size / 20, removed: size / 20 }
      expect(facts).toMatchObject({ left_out: 1, files: [{ to: '/a', hunks: [], left_out: lost }] })
      const note = 'The lines of 1 file are left out: the difference is too large'
      expect(await resource(workspace, change.diff)).toContain(`# ${note}`)
      const page = await resource(workspace, change.review)
      expect(page).toContain(note)
      expect(page).toContain(`+${(size / 20).toLocaleString('en')}`)

      const applied = await workspace.call('write_file', args, {
        'dev.edgewise/preview': change.id,
      })
      expect(changeOf(applied)).toMatchObject({ applied: true })
      expect(new TextDecoder().decode(await workspace.raw('/a'))).toBe(args.content)
    },
  )
})

describe('a preview of many files', () => {
  it('is shown and applied, however long their names are together', async () => {
    const workspace = freshWorkspace()
    const folder = `d/${'n'.repeat(250)}/${'n'.repeat(250)}/${'n'.repeat(250)}`
    const names = Array.from({ length: 3_000 }, (_, index) => `/${folder}/f${index}`)
    await seed(stubOf(workspace), names)
    const { id } = changeOf(await workspace.call('delete_file', { path: 'd' }))
    const preview = await workspace.call('undo_change', { id }, { preview: true })
    expect(preview.result?.isError).toBeUndefined()
    const { id: bound, review } = changeOf(preview)
    const facts = JSON.parse(await resource(workspace, `${review}.json`))
    expect(facts).toMatchObject({ incomplete: true, more: 2_900 })
    const applied = await workspace.call('undo_change', { id }, { 'dev.edgewise/preview': bound })
    expect(changeOf(applied)).toMatchObject({ applied: true })
    expect(await (await workspace.fetch('/status')).json()).toMatchObject({ files: 3_000 })
  })
})

describe('the statistics of a preview', () => {
  const a = parsePath('/a')
  const factsOf = (...texts: string[]): Facts => ({
    tool: 'write_file',
    intent: 'Write to a',
    applied: false,
    paths: [a],
    files: texts.map((text) => ({
      from: null,
      to: a,
      binary: false,
      hunks: [
        { oldStart: 0, oldLines: 0, newStart: 1, newLines: 1, lines: [{ kind: 'insert', text }] },
      ],
    })),
    more: 0,
  })

  it('are complete up to a size limit, and then omit the lines of the largest files', () => {
    const others = 2 * JSON.stringify(factsOf('', '')).length
    const half = 'é'.repeat((MAX_PREVIEW_BYTES - others) / 4)
    const room = (text: string) =>
      MAX_PREVIEW_BYTES - new TextEncoder().encode(JSON.stringify(factsOf(text, half))).length
    const edge = 'x'.repeat(room(''))
    expect(fitFacts(factsOf(edge, half))).toEqual(JSON.stringify(factsOf(edge, half)))
    const over = fitFacts(factsOf(`${edge}x`, half))
    const [first, second] = JSON.parse(over).files
    expect(first.hunks.length + second.hunks.length).toBe(1)
    expect([first.left_out, second.left_out].filter(Boolean)).toHaveLength(1)
  })
})

describe('the intent of a change', () => {
  it('is stored up to a maximum length', async () => {
    const workspace = freshWorkspace()
    const scopes = (count: number) => Array(count).fill(`read:file:/${'s'.repeat(100)}`)
    for (const count of [1, 10])
      await workspace.text('delegate', { label: 'l', scopes: scopes(count) })
    const { result } = await workspace.call('list_changes')
    const [long, short] = Object(result?.structuredContent['changes'])
    expect(long.intent).toHaveLength(MAX_INTENT_LENGTH)
    expect(long.intent).toMatch(/…$/)
    expect(short.intent).toContain('s'.repeat(100))
    const audit = await (await workspace.fetch('/audit')).json<{ entries: { intent: string }[] }>()
    expect(audit.entries[0]?.intent).toHaveLength(MAX_INTENT_LENGTH)
  })
})
