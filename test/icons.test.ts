/** The icons of the installed console are what the manifest says, and the worker serves each of them. */

import { globSync, readFileSync, statSync } from 'node:fs'
import { expect, it } from 'vitest'
import * as z from 'zod'

const FOLDER = 'host/console'

const icon = z.strictObject({
  src: z.string().startsWith('/icons/'),
  sizes: z.string(),
  type: z.string(),
  purpose: z.literal('maskable').optional(),
})

const manifest = z
  .looseObject({ start_url: z.string(), id: z.string(), icons: z.array(icon) })
  .parse(JSON.parse(readFileSync(`${FOLDER}/console.webmanifest`, 'utf8')))

/** Width and height of a PNG, from its header. */
function sizeOf(file: string): string {
  const bytes = readFileSync(file)
  expect(bytes.toString('latin1', 0, 8)).toBe('\u0089PNG\r\n\u001A\n')
  return `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`
}

it('the manifest has what browsers ask of a page that is installed', () => {
  expect(manifest).toMatchObject({
    ...{ id: '/', start_url: '/', scope: '/', display: 'standalone' },
    ...{ name: expect.any(String), short_name: expect.any(String) },
  })
  const pngs = manifest.icons.filter(({ type }) => type === 'image/png')
  expect(pngs.map(({ sizes }) => sizes)).toEqual(expect.arrayContaining(['192x192', '512x512']))
  expect(manifest.icons.some(({ purpose }) => purpose === 'maskable')).toBe(true)
})

it.each(manifest.icons)('$src has the size that the manifest says', ({ src, sizes, type }) => {
  const file = `${FOLDER}${src}`
  if (type === 'image/png') expect(sizeOf(file)).toBe(sizes)
  else expect(readFileSync(file, 'utf8')).toMatch(/^<svg [^>]*viewBox/)
})

it.each([
  ['apple.png', '180x180'],
  ['badge.png', '96x96'],
])('%s has the size that its platform asks for', (name, size) => {
  expect(sizeOf(`${FOLDER}/icons/${name}`)).toBe(size)
})

it('all of them are small', () => {
  const files = globSync(`${FOLDER}/icons/*`)
  expect(files).toHaveLength(6)
  for (const file of files) expect(statSync(file).size, file).toBeLessThan(20_000)
})
