/** The programs that connect to a server: what is pasted into a shell or a file is safe there and says what was meant. */

import { describe, expect, it } from 'vitest'
import { isPublic, nameForLink, PROGRAMS } from '#host/console/agents/programs.ts'

const URL_OF_LINK = 'https://files.example/s/0aZ_-/mcp'

const codes = (name: string, url = URL_OF_LINK) =>
  PROGRAMS.map(({ id, steps }) => [id, steps(url, name).map(({ code = '' }) => code)] as const)

describe('the steps', () => {
  it('name the server and its address in every program', () => {
    for (const [id, texts] of codes('edgewise')) expect(texts.join('\n'), id).toContain(URL_OF_LINK)
  })

  it('are valid JSON where they are a file', () => {
    const files = codes('edgewise-notes').flatMap(([, texts]) =>
      texts.filter((text) => text.startsWith('{')),
    )
    expect(files).toHaveLength(4)
    for (const file of files)
      expect(Object.values(JSON.parse(file))[0]).toHaveProperty('edgewise-notes')
  })

  it('install the same server that the file has', () => {
    const [vscode, cursor] = ['vscode', 'cursor'].map((id) => {
      const link = PROGRAMS.find((one) => one.id === id)?.steps(URL_OF_LINK, 'x')[0]?.install ?? ''
      return new URL(link)
    })
    expect(JSON.parse(decodeURIComponent(vscode?.search.slice(1) ?? ''))).toEqual({
      name: 'x',
      type: 'http',
      url: URL_OF_LINK,
    })
    expect(JSON.parse(atob(cursor?.searchParams.get('config') ?? ''))).toEqual({ url: URL_OF_LINK })
  })
})

describe('the name for a link', () => {
  it.each([
    ['Research', 'edgewise-research'],
    ['Notes (read only)', 'edgewise-notes-read-only'],
    ['$(rm -rf ~); `x`', 'edgewise-rm-rf-x'],
    ['Łódź', 'edgewise-d'],
    ['…', 'edgewise'],
    ['a'.repeat(80), `edgewise-${'a'.repeat(31)}`],
  ])('of %j is %j', (label, name) => {
    expect(nameForLink(label)).toBe(name)
  })
})

it.each([
  ['https://files.example/mcp', true],
  ['http://files.example/mcp', false],
  ['https://localhost:8787/mcp', false],
  ['https://127.0.0.1/mcp', false],
  ['https://[::1]/mcp', false],
])('a hosted program can reach %s: %s', (url, expected) => {
  expect(isPublic(url)).toBe(expected)
})
