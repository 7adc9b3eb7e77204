/** Deleting or moving a folder: the result, the statistics and the review page count files and bytes. */

import { MAX_DIFF_FILES } from '#worker/limits.ts'
import { describe, expect, it } from 'vitest'
import { freshWorkspace, withoutVersion, type Reply } from '../../support/worker/client.ts'
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
  it('of a deleted folder marks text files as text, and counts bytes', async () => {
    const made = await workspace()
    const { review, diff } = changeOf(
      await made.call('delete_file', { path: 'd' }, { preview: true }),
    )
    expect(JSON.parse(await resource(made, `${review}.json`))).toMatchObject({
      bytes: 7,
      files: [
        { from: '/d/e/image.png', to: null, binary: true, bytes: 3 },
        { from: '/d/text.txt', to: null, binary: false, omitted: true, bytes: 4 },
      ],
    })
    const page = await resource(made, review)
    expect(page).toContain('2 files, 7 bytes')
    expect(page).toContain('not shown as text, 3 bytes')
    expect(page).toContain('text, 4 bytes')
    // A patch must not claim to know the content of the file.
    expect(await resource(made, diff)).toContain('Binary files a/d/text.txt and /dev/null differ')
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
    expect(await resource(made, review)).toContain('105 files, 315 bytes')
  })
})

describe('an applied change', () => {
  it('that moved a folder counts bytes', async () => {
    const made = await workspace()
    const { review } = changeOf(await made.call('move_file', { from: 'd', to: 'x' }))
    expect(await resource(made, review)).toContain('2 files, 7 bytes')
  })
})
