/** Files in other encodings than UTF-8: read, searched, edited and added to, without changing any other byte. */

import { describe, expect, it } from 'vitest'
import { recordOf } from '#core/json.ts'
import { parsePath } from '#core/path.ts'
import { describeFile } from '#worker/changes/describe.ts'
import type { FileEntry } from '#worker/store/store.ts'
import { damagedLog, latin1, utf16 } from '../../support/worker/encoded.ts'
import { errorOf, freshWorkspace } from '../../support/worker/client.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)

const edit = (find: string, replace: string) => ({ path: 'a', edits: [{ find, replace }] })

describe('line endings', () => {
  it('a text is found however its lines end, and each line keeps its ending', async () => {
    const { text, put, raw } = freshWorkspace()
    await put('/a', 'alpha\r\nbeta\r\ngamma\ndelta\r\n')
    expect(await text('read_file', { path: 'a' })).not.toContain('\r')
    await text('edit_file', edit('alpha\nbeta\ngamma', 'ALPHA\nbeta\nGAMMA'))
    expect(await raw('/a')).toEqual(utf8('ALPHA\r\nbeta\r\nGAMMA\ndelta\r\n'))
    await text('edit_file', edit('GAMMA\r\ndelta', 'GAMMA\nnew\ndelta'))
    expect(await raw('/a')).toEqual(utf8('ALPHA\r\nbeta\r\nGAMMA\nnew\ndelta\r\n'))
    await text('edit_file', edit('beta\n', ''))
    expect(await raw('/a')).toEqual(utf8('ALPHA\r\nGAMMA\nnew\ndelta\r\n'))
  })

  it('a find with \\r\\n is found in a file without', async () => {
    const { text, put, raw } = freshWorkspace()
    await put('/a', 'one\ntwo\n')
    await text('edit_file', edit('one\r\ntwo', '1\r\n2'))
    expect(await raw('/a')).toEqual(utf8('1\n2\n'))
  })

  it('one stray CRLF does not hinder edits that span it', async () => {
    const { text, put, raw } = freshWorkspace()
    const lines = Array.from({ length: 40 }, (_, at) => `line ${at}${at === 20 ? '\r\n' : '\n'}`)
    await put('/a', lines.join(''))
    await text('edit_file', edit('line 19\nline 20\nline 21', 'x\nline 20\ny'))
    const expected = lines.join('').replace('line 19', 'x').replace('line 21', 'y')
    expect(await raw('/a')).toEqual(utf8(expected))
  })

  it('a text that occurs with each ending is not unique', async () => {
    const { code, put } = freshWorkspace()
    await put('/a', 'one\r\ntwo\none\ntwo\n')
    expect(await code('edit_file', edit('one\ntwo', 'x'))).toBe('FIND_NOT_UNIQUE')
  })

  it('a carriage return inside of a line is found as it is shown', async () => {
    const { text, put, raw } = freshWorkspace()
    await put('/a', 'one\r\r\ntwo\r\n')
    await text('edit_file', edit('one\r\ntwo', '1\n2'))
    expect(await raw('/a')).toEqual(utf8('1\r\n2\r\n'))
  })

  it.each([
    ['append', 'a\r\nb\n', 'c\nd\n', 'a\r\nb\nc\nd\n'],
    ['append', 'a\nb\r\n', 'c\nd\n', 'a\nb\r\nc\r\nd\r\n'],
    ['append', 'a\nb\r\nc', 'd', 'a\nb\r\nc\r\nd'],
    ['prepend', 'a\r\nb\n', 'c\nd', 'c\r\nd\r\na\r\nb\n'],
    ['append', 'a\nb\n', 'c\r\n', 'a\nb\nc\n'],
    ['append', 'a', 'b\r\nc\r\n', 'a\nb\r\nc\r\n'],
  ])('%s to %j: %j makes %j', async (mode, old, content, expected) => {
    const { text, put, raw } = freshWorkspace()
    await put('/a', old)
    await text('write_file', { path: 'a', content, mode })
    expect(await raw('/a')).toEqual(utf8(expected))
  })
})

it.each([
  ['append', 'a\r\n', '\ufeffb\n', 'a\r\nb\r\n'],
  ['prepend', 'a\n', '\ufeffb\n', 'b\na\n'],
  ['append', '\ufeffa\n', '\ufeffb\n', '\ufeffa\nb\n'],
  ['prepend', '\ufeffa\n', '\ufeffb\n', '\ufeffb\na\n'],
  ['append', '\ufeff', '\ufeffb\n', '\ufeffb\n'],
  ['append', '', '\ufeffb\n', '\ufeffb\n'],
])(
  '%s to %j: a byte order mark before %j is none of the text',
  async (mode, old, content, made) => {
    const { text, put, raw } = freshWorkspace()
    await put('/a', old)
    await text('write_file', { path: 'a', content, mode })
    expect(await raw('/a')).toEqual(utf8(made))
  },
)

describe.each(['utf-16le', 'utf-16be'] as const)('%s', (encoding) => {
  const old = 'größe 😀\r\nzwei\r\n'

  it('is read, found, edited, added to and overwritten in its encoding', async () => {
    const { call, text, put, raw } = freshWorkspace()
    await put('/a', utf16(old, encoding))
    const { result } = await call('read_file', { path: 'a' })
    expect(result?.structuredContent).toMatchObject({
      ...{ content: '1: größe 😀\n2: zwei', encoding },
    })
    expect(result?.content[0]?.text).toContain(encoding)
    expect(await text('search_files', { pattern: 'größe' })).toContain('größe 😀')
    await text('edit_file', edit('😀\nzwei', '€\n2'))
    expect(await raw('/a')).toEqual(utf16('größe €\r\n2\r\n', encoding))
    await text('write_file', { path: 'a', content: 'drei\n', mode: 'append' })
    await text('write_file', { path: 'a', content: 'null\n', mode: 'prepend' })
    expect(await raw('/a')).toEqual(utf16('null\r\ngröße €\r\n2\r\ndrei\r\n', encoding))
    const written = await call('write_file', { path: 'a', content: 'neu\n' })
    expect(written.result?.structuredContent).toMatchObject({ kept: ['crlf', encoding] })
    expect(await raw('/a')).toEqual(utf16('neu\r\n', encoding))
  })
})

describe('damaged text', () => {
  const file = latin1('größe\nzwei\ndrei é\nvier\n')

  it('is read with replacement characters and a note, and searched', async () => {
    const { call, text, put } = freshWorkspace()
    await put('/a', file)
    const { result } = await call('read_file', { path: 'a' })
    expect(result?.structuredContent).toMatchObject({ encoding: 'damaged', total: 4 })
    expect(result?.content[0]?.text).toContain('1: gr\ufffd\ufffde\n2: zwei')
    expect(result?.content[0]?.text).toContain('not valid UTF-8')
    expect(await text('search_files', { pattern: 'zwei' })).toContain('2: zwei')
    expect(await text('read_multiple_files', { paths: ['a'] })).toContain('not valid UTF-8')
  })

  it('other lines are edited, and what is added leaves its bytes as they are', async () => {
    const { text, put, raw } = freshWorkspace()
    await put('/a', file)
    await text('edit_file', edit('zwei', 'ä\n2'))
    await text('write_file', { path: 'a', content: 'fünf', mode: 'append' })
    const expected = [latin1('größe\n'), utf8('ä\n2\n'), latin1('drei é\nvier\n'), utf8('fünf')]
    expect(await raw('/a')).toEqual(Uint8Array.from(expected.flatMap((part) => [...part])))
  })

  it.each([
    ['gr', 1],
    ['vier', null],
    ['zwei\ndrei', 3],
    ['zwei\n', null],
    ['\ufffd\ufffde', 1],
  ])('an edit of %j is refused for line %j', async (find, line) => {
    const { call, put, raw } = freshWorkspace()
    await put('/a', file)
    const { result } = await call('edit_file', edit(find, 'x'))
    if (line === null) expect(result?.isError).toBeFalsy()
    else {
      expect(errorOf(result)).toMatchObject({ code: 'DAMAGED_LINE', line, edit: 1 })
      expect(await raw('/a')).toEqual(file)
    }
  })

  it('a replacement character that is in the file is text', async () => {
    const { text, put, raw } = freshWorkspace()
    await put('/a', 'one \ufffd\n')
    await text('edit_file', edit('one \ufffd', 'two'))
    expect(await raw('/a')).toEqual(utf8('two\n'))
  })

  it.each([0, 0xff])('a log with the byte %j is read, searched and edited', async (byte) => {
    const { text, put, raw } = freshWorkspace()
    const log = damagedLog(byte)
    await put('/a', log)
    expect(await text('search_files', { pattern: 'all is well' })).toContain('all is well')
    await text('write_file', { path: 'a', content: 'end\n', mode: 'append' })
    expect(await raw('/a')).toEqual(Uint8Array.from([...log, ...utf8('end\n')]))
  })
})

describe('the review of a change', () => {
  const fileOf = async (old: Uint8Array, next: Uint8Array) => {
    const facts = { type: 'file', mime: 'text/plain', version: 1, mtime: 0 } as const
    const entry = (blob: number, { length: size }: Uint8Array): FileEntry => ({
      ...{ ...facts, path: parsePath('/a'), blob, size },
    })
    const bytes = ({ blob }: FileEntry) => (blob === 1 ? old : next)
    return describeFile(entry(1, old), entry(2, next), { bytes, documentText: async () => null })
  }

  it('names line endings that changed', async () => {
    expect(await fileOf(utf8('one\r\ntwo\r\n'), utf8('one\ntwo\n'))).toMatchObject({
      endings: 'CRLF → LF',
    })
    expect(await fileOf(utf8('one\ntwo\n'), utf8('one\n2\n'))).not.toHaveProperty('endings')
  })

  it.each([
    ['UTF-16LE → UTF-8', utf16('größe\n'), utf8('größe\n')],
    ['UTF-8 → UTF-16LE', utf8('größe\n'), utf16('größe\n')],
    ['UTF-16LE → UTF-8 with BOM', utf16('größe\n'), utf8('\ufeffgröße\n')],
    ['UTF-8 with BOM → UTF-8', utf8('\ufeffone\n'), utf8('one\n')],
    ['not UTF-8 → UTF-8', latin1('größe\n'), utf8('größe\n')],
  ])('names an encoding that changed: %s', async (encoding, old, next) => {
    expect(await fileOf(old, next)).toMatchObject({ encoding })
    expect(await fileOf(old, old.slice())).not.toHaveProperty('encoding')
  })

  it('names the encoding in the patch and on the page, where no line differs', async () => {
    const { call, send, put } = freshWorkspace()
    await put('/a', utf16('one\n'))
    const args = { path: '/a', content_base64: btoa('one\n') }
    const { result } = await call('write_file', args, { preview: true })
    const { diff, review } = recordOf(result?._meta['dev.edgewise/change'])
    const read = async (uri: unknown) =>
      JSON.stringify((await send('resources/read', { uri })).result?.['contents'])
    expect(await read(diff)).toContain('# Encoding of /a: UTF-16LE → UTF-8')
    expect(await read(review)).toContain('encoding: UTF-16LE → UTF-8')
  })

  it('shows a line in which another byte is damaged', async () => {
    const { hunks } = await fileOf(latin1('größe\n'), latin1('gräße\n'))
    expect(hunks[0]?.lines).toMatchObject([
      { kind: 'delete', text: 'gr\ufffd\ufffde' },
      { kind: 'insert', text: 'gr\ufffd\ufffde' },
    ])
  })

  it('shows UTF-16 as text', async () => {
    const { hunks } = await fileOf(utf16('größe\r\n'), utf16('gräße\r\n'))
    expect(hunks[0]?.lines).toMatchObject([{ text: 'größe\r' }, { text: 'gräße\r' }])
  })
})

describe('write_file over a text', () => {
  it('keeps CRLF and a byte order mark, and says so', async () => {
    const { call, put, raw } = freshWorkspace()
    await put('/a', '\ufeffone\r\ntwo\r\n')
    const { result } = await call('write_file', { path: 'a', content: '1\n2\n' })
    expect(result?.structuredContent).toMatchObject({ kept: ['crlf', 'bom'] })
    expect(result?.content[0]?.text).toContain('keeps CRLF line endings and its byte order mark')
    expect(await raw('/a')).toEqual(utf8('\ufeff1\r\n2\r\n'))
  })

  it.each([
    ['one\r\ntwo\n', 'a\nb\n', 'a\nb\n'],
    ['one\r\ntwo\r\n', 'a\r\nb\n', 'a\r\nb\n'],
    ['one\ntwo\n', 'a\r\nb\r\n', 'a\r\nb\r\n'],
    ['one\n', '\ufeffa\n', '\ufeffa\n'],
  ])('over %j writes %j as it was sent', async (old, content, expected) => {
    const { call, put, raw } = freshWorkspace()
    await put('/a', old)
    const { result } = await call('write_file', { path: 'a', content })
    expect(result?.structuredContent).not.toHaveProperty('kept')
    expect(await raw('/a')).toEqual(utf8(expected))
  })

  it('content_base64 is exact', async () => {
    const { text, put, raw } = freshWorkspace()
    await put('/a', '\ufeffone\r\n')
    await text('write_file', { path: 'a', content_base64: btoa('1\n') })
    expect(await raw('/a')).toEqual(utf8('1\n'))
  })
})

describe('a file that is too large to be loaded', () => {
  const line = 'a line of a large log\r\n'
  const content = line.repeat(Math.ceil((9 * 1024 * 1024) / line.length))

  it.each([
    ['UTF-8', utf8(content), utf8('end\r\n')],
    ['UTF-16', utf16(content.slice(0, 5 * 1024 * 1024)), utf16('end\r\n').slice(2)],
  ])('%s is added to at both ends', async (_what, old, added) => {
    const { text, put, raw } = freshWorkspace()
    await put('/a', old)
    await text('write_file', { path: 'a', content: 'end\n', mode: 'append' })
    await text('write_file', { path: 'a', content: 'end\n', mode: 'prepend' })
    const bytes = await raw('/a')
    const bom = _what === 'UTF-16' ? 2 : 0
    const joined = _what === 'UTF-16' ? utf16('\r\n').slice(2).length : 0
    expect(bytes.length - old.length - 2 * added.length).toBeLessThanOrEqual(joined)
    expect(bytes.subarray(bom, bom + added.length)).toEqual(added)
    expect(bytes.subarray(-added.length)).toEqual(added)
  })
})
