/** Deleting or moving a folder: the result, the statistics and the review page count files and bytes. */

import { MAX_COMPARED_BYTES, MAX_DIFF_BYTES, MAX_DIFF_FILES } from '#worker/limits.ts'
import { describe, expect, it } from 'vitest'
import { freshWorkspace, withoutVersion, type Reply } from '../../support/worker/client.ts'
import { configure } from '../../support/worker/held-draft.ts'
import { seed, stubOf } from '../../support/worker/object-life.ts'

const changeOf = ({ result }: Reply) => Object(result?._meta['dev.edgewise/change'])

async function workspace() {
  const made = freshWorkspace()
  await made.put('/d/text.txt', 'one\n')
  await made.put('/d/e/image.png', new Uint8Array([0, 1, 2]))
  return made
}

async function resource({ send }: Pick<ReturnType<typeof freshWorkspace>, 'send'>, uri: string) {
  const { result } = await send('resources/read', { uri })
  return String(Object(result?.['contents'])[0]?.text)
}

describe('the result', () => {
  it.each([
    ['delete_file', { path: 'd' }, 'Deleted d with 2 files, 7 bytes'],
    ['move_file', { from: 'd', to: 'x/y' }, 'Moved d to x/y with 2 files, 7 bytes'],
  ])('of %s names files and bytes', async (name, args, text) => {
    const { call } = await workspace()
    const { result } = await call(name, args)
    expect(withoutVersion(result?.content[0]?.text ?? '')).toBe(text)
    expect(result?.structuredContent).toMatchObject({ files: 2, bytes: 7 })
  })

  it('of a single file does not', async () => {
    const { call } = await workspace()
    const { result } = await call('delete_file', { path: 'd/text.txt' })
    expect(result?.content[0]?.text).toBe('Deleted d/text.txt (version 3)')
    expect(result?.structuredContent).toEqual({ path: 'd/text.txt', version: 3 })
  })
})

describe('a preview', () => {
  it('of a deleted folder counts and shows removed lines, and counts bytes', async () => {
    const made = await workspace()
    const preview = changeOf(await made.call('delete_file', { path: 'd' }, { preview: true }))
    const { review, diff } = preview
    const lines = [{ kind: 'delete', text: 'one' }]
    expect(preview).toMatchObject({
      stats: { added: 0, removed: 1, files: 2 },
      hunks: [{ path: '/d/text.txt', lines }],
    })
    expect(JSON.parse(await resource(made, `${review}.json`))).toMatchObject({
      bytes: 7,
      files: [
        { from: '/d/e/image.png', to: null, binary: true, bytes: 3 },
        { from: '/d/text.txt', to: null, binary: false, hunks: [{ lines }] },
      ],
    })
    const page = await resource(made, review)
    expect(page).toContain('2 files, 7 bytes')
    expect(page).toContain('not shown as text, 3 bytes')
    expect(page).toContain('−1')
    expect(page).not.toContain('not counted')
    expect(await resource(made, diff)).toContain('+++ /dev/null\n@@ -1 +0,0 @@\n-one\n')
  })

  it('of a deleted folder reads no more than it shows, and says what is not shown', async () => {
    const made = freshWorkspace()
    const large = 'x'.repeat(79) + '\n'
    await made.put('/d/a-too-large.txt', large.repeat(MAX_DIFF_BYTES / 80 + 1))
    await made.put('/d/b-long.txt', large.repeat(20_000))
    await made.put('/d/c-long.txt', large.repeat(20_000))
    await made.put('/d/d.bin', new Uint8Array(3 * MAX_DIFF_BYTES))
    await made.put('/d/e.txt', 'last\n')
    const preview = changeOf(await made.call('delete_file', { path: 'd' }, { preview: true }))
    const { review, diff, id } = preview
    expect(preview).toMatchObject({ stats: { removed: 40_001, files: 5 }, hunks_left_out: true })
    const counted = { left_out: { removed: 20_000 } }
    const { files, left_out } = JSON.parse(await resource(made, `${review}.json`))
    expect(left_out).toBe(3)
    expect(files).toMatchObject([
      { from: '/d/a-too-large.txt', binary: false, omitted: true, hunks: [] },
      counted,
      counted,
      { binary: true, hunks: [] },
      { hunks: [{ lines: [{ text: 'last' }] }] },
    ])
    expect(files[0]).not.toHaveProperty('left_out')
    const page = await resource(made, review)
    expect(page).toContain('The lines of 3 files are left out: the difference is too large')
    expect(page).toContain('The lines of 1 file are not counted')
    // A patch must not claim to know the content of the file.
    const patch = await resource(made, diff)
    expect(patch).toContain('Binary files a/d/a-too-large.txt and /dev/null differ')
    const bound = { 'dev.edgewise/preview': id }
    const applied = changeOf(await made.call('delete_file', { path: 'd' }, bound))
    expect(applied).toMatchObject({ applied: true, stats: { removed: 40_001 } })
    const known = JSON.parse(await resource(made, `${applied.review}.json`))
    expect(known.files).toMatchObject(files)
  })

  it('of a moved folder counts bytes as well', async () => {
    const made = await workspace()
    const args = { from: 'd', to: 'x' }
    const { review } = changeOf(await made.call('move_file', args, { preview: true }))
    expect(JSON.parse(await resource(made, `${review}.json`))).toMatchObject({
      bytes: 7,
      files: [
        { to: '/x/e/image.png', bytes: 3 },
        { to: '/x/text.txt', bytes: 4 },
      ],
    })
    const page = await resource(made, review)
    expect(page).toContain('2 files, 7 bytes')
    expect(page).toContain('content unchanged, 4 bytes')
  })

  it('counts the files that are not listed', async () => {
    const made = freshWorkspace()
    const names = Array.from({ length: MAX_DIFF_FILES + 5 }, (_, index) => `/d/f${index}`)
    await seed(stubOf(made), names, 'abc')
    const { review } = changeOf(await made.call('delete_file', { path: 'd' }, { preview: true }))
    expect(JSON.parse(await resource(made, `${review}.json`))).toMatchObject({
      more: 5,
      bytes: 315,
    })
    const page = await resource(made, review)
    expect(page).toContain('105 files, 315 bytes')
    expect(page).toContain('−100')
    // No line of these files has an ending.
    expect(page).not.toContain('CRLF')
    expect(page).toContain('The lines of 5 files are not counted')
  })

  it('reads only as much of a deleted folder as a list may compare', async () => {
    const made = freshWorkspace()
    const fitting = MAX_COMPARED_BYTES / MAX_DIFF_BYTES
    const names = Array.from({ length: fitting + 2 }, (_, index) => `/d/f${10 + index}`)
    await seed(
      stubOf(made),
      names,
      'x'
        .repeat(63)
        .concat('\n')
        .repeat(MAX_DIFF_BYTES / 64),
    )
    const preview = changeOf(await made.call('delete_file', { path: 'd' }, { preview: true }))
    const { files } = JSON.parse(await resource(made, `${preview.review}.json`))
    const counted = files.filter((file: object) => 'left_out' in file)
    expect(counted).toHaveLength(fitting)
    expect(files).toHaveLength(fitting + 2)
    expect(await resource(made, preview.review)).toContain('The lines of 2 files are not counted')
  })

  it('shows no content that the caller may not read', async () => {
    const made = await workspace()
    const denied = { preview: true, denied_scopes: ['read:file:/d'] }
    const reply = await made.call('delete_file', { path: 'd' }, denied)
    expect(reply.result?.isError).toBeUndefined()
    expect(JSON.stringify(reply)).not.toContain('"one"')
    expect(changeOf(reply)).toMatchObject({ stats: { removed: 0 }, hunks: [] })
  })
})

describe('a deletion that waits for approval', () => {
  it('counts and shows removed lines', async () => {
    const made = await workspace()
    await configure(made, { approval: 'review' })
    const held = changeOf(await made.call('delete_file', { path: 'd' }))
    expect(held).toMatchObject({ applied: false, stats: { removed: 1 } })
    expect(held.hunks).toMatchObject([{ lines: [{ text: 'one' }] }])
    expect(await resource(made, held.diff)).toContain('-one\n')
  })
})

describe('an applied change', () => {
  it('that moved a folder counts bytes', async () => {
    const made = await workspace()
    const { review } = changeOf(await made.call('move_file', { from: 'd', to: 'x' }))
    expect(await resource(made, review)).toContain('2 files, 7 bytes')
  })
})
