/**
 * Draws the icons of the installed console: `npm run icons` writes `host/console/icons/` from the mark of the console, and the
 * files are committed. `test/icons.test.ts` compares them with the manifest.
 *
 * Each platform has its own form: Android cuts a form out of the maskable icon, iPhones round the corners of theirs, and the
 * badge beside a notification of Android is one colour.
 *
 * @module
 */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright'
import { refuseArguments } from './command-line.ts'
import { runScript } from './errors.ts'
import { inProject } from './settings.ts'

const FOLDER = inProject('host/console/icons')

/** The mark, as `ui/icons.tsx` has it, on a grid of 24. */
const MARK = 'M4 19V8.5L12 4l8 4.5V19M2 19h20M9 19v-6h6v6'

interface Icon {
  /** Part of the width that the mark takes. */
  readonly mark: number
  /** Radius of the corners as a part of the width; null draws no background. */
  readonly corner: number | null
}

const ROUNDED: Icon = { mark: 0.6, corner: 0.22 }

/** Every form with its width in pixels, by its file. A maskable icon keeps the mark within four fifths. */
const PICTURES: Readonly<Record<string, Icon & { readonly width: number }>> = {
  '192.png': { ...ROUNDED, width: 192 },
  '512.png': { ...ROUNDED, width: 512 },
  'maskable.png': { mark: 0.5, corner: 0, width: 512 },
  'apple.png': { mark: 0.58, corner: 0, width: 180 },
  'badge.png': { mark: 0.92, corner: null, width: 96 },
}

/** Draws an icon as SVG. */
function draw({ mark, corner }: Icon): string {
  const scale = (512 * mark) / 24
  const at = (512 - 24 * scale) / 2
  const back =
    corner === null ? '' : `<rect width="512" height="512" rx="${512 * corner}" fill="#4a4ec9"/>`
  // The middle of the mark is half a unit above that of its grid.
  const place = `translate(${at} ${at + 0.5 * scale}) scale(${scale})`
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512">${back}` +
    `<path transform="${place}" d="${MARK}" fill="none" stroke="#fff" stroke-width="2" ` +
    'stroke-linecap="round" stroke-linejoin="round"/></svg>\n'
  )
}

async function paint(page: Page, width: number, svg: string): Promise<Buffer> {
  await page.setViewportSize({ width, height: width })
  await page.setContent(`<style>html, body, svg { margin: 0; display: block }</style>${svg}`)
  return page.screenshot({ omitBackground: true })
}

/** What the command line asks for. */
async function run(): Promise<void> {
  refuseArguments('run icons', {}, 'Use npm run icons')
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(join(FOLDER, 'icon.svg'), draw(ROUNDED))
  const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  const page = await browser.newPage()
  for (const [name, { width, ...icon }] of Object.entries(PICTURES))
    writeFileSync(join(FOLDER, name), await paint(page, width, draw(icon)))
  await browser.close()
}

if (import.meta.main) await runScript(run)
