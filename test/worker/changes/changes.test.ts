/** Changes: shown, bound, applied, described, restored and undone; the vectors and a whole story. */

import { MAX_INTENT_VALUE_LENGTH } from '#worker/limits.ts'
import { describe, expect, it } from 'vitest'
import previewRows from '../../vectors/preview.json' with { type: 'json' }
import { bytesOf, freshWorkspace, type Reply, errorOf } from '../../support/worker/client.ts'
import { withToolContext, type TestContext } from '../../support/worker/tool-context.ts'
import { put } from '../../support/worker/store-contract.ts'

type Change = {
  id: string
  version: number | null
  review: string
  diff: string
  hunks: unknown[]
  intent: string
  applied: boolean
}

function changeOf(reply: Reply): Change {
  const change = reply.result?._meta['dev.edgewise/change']
  if (!change) throw new Error(JSON.stringify(reply))
  return change as Change
}

interface Step {
  call?: { name: string; arguments: unknown }
  meta?: Record<string, unknown>
  keep?: Record<string, string | string[]>
  read?: string
  outside_change?: Record<string, string>
  expected?: {
    outcome: string
    code?: string | number
    meta?: Record<string, unknown>
    meta_absent?: string[]
    artifacts?: string[]
    files_after?: Record<string, string | null>
    structuredContent?: Record<string, unknown>
    mimeType?: string
    text?: string
  }
}

interface Row {
  id: string
  title: string
  config: unknown
  files: Record<string, string>
  steps: Step[]
  same_result?: [number, number]
}

const MIME: Record<string, string> = { review: 'text/html;profile=mcp-app', diff: 'text/x-diff' }

describe('preview.json', () => {
  it.each(previewRows as unknown as Row[])('$id $title', async (row) => {
    await withToolContext(row.config, async (context) => {
      await context.write(row.files)
      const kept = new Map<string, string>()
      const results: unknown[] = []
      for (const step of row.steps) results.push(await take(step, context, kept))
      if (row.same_result) {
        const [one, other] = row.same_result.map((index) => results[index])
        expect(one).toEqual(other)
      }
    })
  })
})

async function take(step: Step, context: TestContext, kept: Map<string, string>): Promise<unknown> {
  const { services, caller, store, owner, call, text } = context
  for (const [path, content] of Object.entries(step.outside_change ?? {}))
    await put(store, path, content)
  const { expected } = step
  if (step.read !== undefined) {
    const found = await services.changes.read(kept.get(step.read.slice(1)) ?? '', {
      access: caller.access,
      owner: caller,
      store: owner.store,
      draft: owner.draft,
    })
    expect(found === null).toBe(expected?.outcome === 'error')
    if (expected?.mimeType) expect(found?.mimeType).toBe(expected.mimeType)
    if (expected?.text !== undefined) expect(found?.text).toBe(expected.text)
    return null
  }
  if (!step.call || !expected) return null
  const meta = Object.fromEntries(
    Object.entries(step.meta ?? {}).map(([key, value]) => [
      key,
      typeof value === 'string' && value.startsWith('$') ? kept.get(value.slice(1)) : value,
    ]),
  )
  const reply = await call(step.call.name, step.call.arguments, meta)
  for (const [path, content] of Object.entries(expected.files_after ?? {}))
    expect(await text(path), path).toBe(content)
  if (reply.refused) {
    expect(expected.outcome).toBe('error')
    expect(reply.refused.code).toBe(expected.code)
    return null
  }
  const { structuredContent, content, _meta, isError } = reply.outcome
  expect(isError ? 'denied' : 'ok', JSON.stringify(structuredContent)).toBe(expected.outcome)
  if (expected.code !== undefined) expect(errorOf(reply.outcome)['code']).toBe(expected.code)
  if (expected.meta) expect(_meta).toMatchObject(expected.meta)
  for (const key of expected.meta_absent ?? []) expect(_meta?.[key]).toBeUndefined()
  if (expected.structuredContent)
    expect(structuredContent).toMatchObject(expected.structuredContent)
  const links = content.filter((block) => block.type === 'resource_link')
  for (const kind of expected.artifacts ?? [])
    expect(links.map((link) => link.mimeType)).toContain(MIME[kind])
  for (const [name, where] of Object.entries(step.keep ?? {})) {
    const kind = typeof where === 'string' ? where.replace('artifact:', '') : null
    const link = links.find((each) => kind !== null && each.mimeType === MIME[kind])
    const inside = Array.isArray(where)
      ? where.reduce<unknown>((value, key) => Object(value)[key], reply.outcome)
      : link?.uri
    kept.set(name, String(inside))
  }
  const plain = content.map((block) => (block.type === 'resource_link' ? block.mimeType : block))
  return { structuredContent, plain }
}

it('an edit is previewed, conflicts, is refused, previewed again, applied, undone and listed', async () => {
  const { call, put: upload, raw, send } = freshWorkspace()
  await upload('/plan.md', '# Plan\n\nShip on Monday.\n')
  const edit = { path: 'plan.md', edits: [{ find: 'Monday', replace: 'Friday' }] }

  const first = changeOf(await call('edit_file', edit, { preview: true }))
  expect(first).toMatchObject({ applied: false, intent: 'Edit /plan.md', version: null })
  const review = await send('resources/read', { uri: first.review })
  const [page] = (review.result?.['contents'] ?? []) as { text: string; mimeType: string }[]
  expect(page?.mimeType).toBe('text/html;profile=mcp-app')
  expect(page?.text).toContain('Friday')

  await call('write_file', { path: 'plan.md', content: '# Plan\n\nShip on Monday, or not.\n' })
  const stale = await call('edit_file', edit, { 'dev.edgewise/preview': first.id })
  expect(errorOf(stale.result)['code']).toBe('PREVIEW_STALE')

  const second = changeOf(await call('edit_file', edit, { preview: true }))
  const applied = changeOf(await call('edit_file', edit, { 'dev.edgewise/preview': second.id }))
  expect(applied).toMatchObject({ applied: true, version: 3 })
  expect(await raw('/plan.md')).toEqual(bytesOf('# Plan\n\nShip on Friday, or not.\n'))
  const diff = await send('resources/read', { uri: applied.diff })
  expect(JSON.stringify(diff.result)).toContain('+Ship on Friday, or not.')

  expect((await call('undo_change', { id: applied.id })).result?.isError).toBeUndefined()
  expect(await raw('/plan.md')).toEqual(bytesOf('# Plan\n\nShip on Monday, or not.\n'))
  const listed = await call('list_changes', { path: 'plan.md' })
  const changes = (listed.result?.structuredContent['changes'] ?? []) as { intent: string }[]
  expect(changes.map((change) => change.intent)).toEqual([
    `Undo the change ${applied.id}`,
    'Edit /plan.md',
    'Write to /plan.md',
    'Upload /plan.md',
  ])
})

describe('undo', () => {
  it('restores a deleted folder and a moved one', async () => {
    const { call, put: upload, raw, text } = freshWorkspace()
    await upload('/a/b/1', 'one')
    await upload('/a/2', 'two')
    const before = await text('find_files')
    const moved = changeOf(await call('move_file', { from: 'a', to: 'x/y' }))
    await call('undo_change', { id: moved.id })
    expect(await text('find_files')).toBe(before)
    const gone = changeOf(await call('delete_file', { path: 'a' }))
    expect(await text('find_files')).toBe('Nothing found')
    await call('undo_change', { id: gone.id })
    expect(await text('find_files')).toBe(before)
    expect(await raw('/a/b/1')).toEqual(bytesOf('one'))
  })

  it('is refused with the paths that a later change touched', async () => {
    const { call, put: upload } = freshWorkspace()
    await upload('/a', 'one')
    const change = changeOf(await call('write_file', { path: 'a', content: 'two' }))
    await call('write_file', { path: 'a', content: 'three' })
    const { result } = await call('undo_change', { id: change.id })
    expect(errorOf(result)).toMatchObject({ code: 'CHANGED_SINCE', path: '/a' })
  })

  it('keeps files that others added to the folder since', async () => {
    const { call, text } = freshWorkspace()
    const made = changeOf(await call('write_file', { path: 'd/a', content: 'one' }))
    await call('write_file', { path: 'd/b', content: 'two' })
    await call('undo_change', { id: made.id })
    expect(await text('find_files')).toBe('d/\nd/b')
  })

  it('can be undone and previewed like any change', async () => {
    const { call, put: upload, raw } = freshWorkspace()
    await upload('/a', 'one')
    const change = changeOf(await call('write_file', { path: 'a', content: 'two' }))
    const preview = changeOf(await call('undo_change', { id: change.id }, { preview: true }))
    expect(preview.applied).toBe(false)
    expect(await raw('/a')).toEqual(bytesOf('two'))
    const undone = changeOf(await call('undo_change', { id: change.id }))
    await call('undo_change', { id: undone.id })
    expect(await raw('/a')).toEqual(bytesOf('two'))
  })

  it.each([
    ['', 'MISSING_VERSION'],
    ['unknown', 'CHANGE_NOT_FOUND'],
    ['00000000-0000-0000-0000-000000000000', 'CHANGE_NOT_FOUND'],
    ['1', 'CHANGE_NOT_FOUND'],
    ['1-', 'CHANGE_NOT_FOUND'],
    ['1-000000000000', 'CHANGE_NOT_FOUND'],
    ['2-000000000000', 'CHANGE_NOT_FOUND'],
    ['9007199254740993-000000000000', 'CHANGE_NOT_FOUND'],
    ["1-' OR id > '000", 'CHANGE_NOT_FOUND'],
  ])('is refused for the unknown change %j', async (id, code) => {
    const workspace = freshWorkspace()
    await workspace.put('/a', 'one')
    expect(await workspace.code('undo_change', { id })).toBe(code)
    expect(await workspace.raw('/a')).toEqual(bytesOf('one'))
  })

  it('takes an id only as it was given: not with another version, another case or more', async () => {
    const { call, code } = freshWorkspace()
    const { id } = changeOf(await call('write_file', { path: 'a', content: 'one' }))
    expect(id).toMatch(/^1-[0-9a-z]{12}$/)
    const others = [
      `2${id.slice(1)}`,
      `01${id.slice(1)}`,
      ` ${id}`,
      `${id}0`,
      `+${id}`,
      id.slice(0, -1),
    ]
    for (const other of others)
      expect(await code('undo_change', { id: other }), other).toBe('CHANGE_NOT_FOUND')
    expect((await call('undo_change', { id })).result?.isError).toBeFalsy()
  })
})

it('a version can be restored, also of a deleted file, and search finds its content', async () => {
  const { call, text, code, put: upload, raw } = freshWorkspace()
  await upload('/a', 'needle one')
  await call('write_file', { path: 'a', content: 'two' })
  await call('delete_file', { path: 'a' })
  const { result } = await call('file_history', { path: 'a' })
  expect(result?.structuredContent['versions']).toMatchObject([
    { version: 3, size: null },
    { version: 2, size: 3 },
    { version: 1, size: 10 },
  ])
  await text('restore_file', { path: 'a', version: 1 })
  expect(await raw('/a')).toEqual(bytesOf('needle one'))
  expect(await text('search_files', { pattern: 'needle' })).toBe('a\n1: needle one')
  expect(await code('restore_file', { path: 'a', version: 3 })).toBe('VERSION_NOT_FOUND')
})

it('a preview cannot be applied by another session', async () => {
  const workspace = freshWorkspace()
  await workspace.put('/a', 'one')
  const args = { path: 'a', content: 'two' }
  const preview = changeOf(await workspace.call('write_file', args, { preview: true }))
  const { result } = await workspace.call('delegate', { label: 'child' })
  const child = freshWorkspace(String(result?.structuredContent['url']))
  const taken = await child.call('write_file', args, { 'dev.edgewise/preview': preview.id })
  expect(errorOf(taken.result)['code']).toBe('PREVIEW_STALE')
  const other = await workspace.call(
    'write_file',
    { path: 'a', content: 'three' },
    { 'dev.edgewise/preview': preview.id },
  )
  expect(errorOf(other.result)['code']).toBe('PREVIEW_STALE')
  expect(await workspace.raw('/a')).toEqual(bytesOf('one'))
})

it('a preview cannot be applied by another tool, although its plan is the same', async () => {
  const workspace = freshWorkspace()
  await workspace.put('/a', 'one')
  const args = { path: 'a', content: 'two' }
  const { id } = changeOf(await workspace.call('write_file', args, { preview: true }))
  const edit = { path: 'a', edits: [{ find: 'one', replace: 'two' }] }
  const { result } = await workspace.call('edit_file', edit, { 'dev.edgewise/preview': id })
  expect(errorOf(result)['code']).toBe('PREVIEW_STALE')
  expect(await workspace.raw('/a')).toEqual(bytesOf('one'))
})

it('a preview of a tool without previews is refused and does nothing', async () => {
  const reply = await freshWorkspace().call('delegate', { label: 'x' }, { preview: true })
  expect(reply.error).toMatchObject({ code: -32050 })
})

it('binary files and long diffs are summarized', async () => {
  const { call, put: upload } = freshWorkspace()
  await upload('/bin', new Uint8Array([0, 1]))
  const binary = await call('write_file', { path: 'bin', content: 'text' })
  expect(changeOf(binary).hunks).toEqual([])
  await upload('/long', 'a\n'.repeat(5_000))
  const long = await call('write_file', { path: 'long', content: 'b\n'.repeat(5_000) })
  expect(changeOf(long)).toMatchObject({
    hunks: [],
    hunks_left_out: true,
    stats: { added: 5_000, removed: 5_000 },
  })
})

describe('the intent of a change', () => {
  const long = `${'d/'.repeat(400)}end`
  const longest = 'd/'.repeat(MAX_INTENT_VALUE_LENGTH / 2 - 1).concat('e')
  const half = MAX_INTENT_VALUE_LENGTH / 2
  const cutOf = (path: string) => `${path.slice(0, half)}…${path.slice(-half)}`

  it.each([
    ['paths as they are resolved', 'open/../private/./x', '/private/x'],
    ['an absolute path as one', '//open/../private/x', '/private/x'],
    ['what a long spelling hides', `${'./'.repeat(600)}private/x`, '/private/x'],
    ['hidden characters by their names', 'x\u202efdp.exe', '/x[RLO]fdp.exe'],
    ['a name of several words in quotes', 'in/b to /in/c', '"/in/b to /in/c"'],
    ['quotes in a name as a part of it', 'a" to "/b', JSON.stringify('/a" to "/b')],
    ['long paths without their middle', long, cutOf(`/${long}`)],
    ['paths of MAX_INTENT_VALUE_LENGTH as they are', longest, `/${longest}`],
  ])('has %s', async (_, path, shown) => {
    const { put, call } = freshWorkspace()
    await put('/a', 'x')
    const intentOf = async (name: string, args: object) =>
      changeOf(await call(name, { ...args }, { preview: true })).intent
    expect(await intentOf('write_file', { path, content: 'x' })).toBe(`Write to ${shown}`)
    expect(await intentOf('copy_file', { from: './a', to: path })).toBe(`Copy /a to ${shown}`)
  })

  it('has the end of both of two long paths', async () => {
    const { put, call } = freshWorkspace()
    await put(`/${long}`, 'x')
    const to = `${long}2`
    const moved = await call('move_file', { from: long, to }, { preview: true })
    expect(changeOf(moved).intent).toBe(`Move ${cutOf(`/${long}`)} to ${cutOf(`/${to}`)}`)
  })
})
