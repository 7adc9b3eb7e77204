/**
 * Browser artefacts: each script, page and view, with its size limit.
 *
 * A view is one self-contained HTML file, because its sandbox cannot load other files.
 *
 * @module
 */

import { build as esbuild, type BuildOptions } from 'esbuild'
import { copyFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { inProject, ROOT } from './settings.ts'
import { measure, type Limit, type Size } from './sizes.ts'

/**
 * Output folder: everything that a browser loads, and the views that the Worker serves as
 * resources.
 */
export const ASSETS_FOLDER = inProject('dist/assets')

interface Script {
  readonly entry: string
  readonly format: 'esm' | 'iife'
  readonly limit?: Limit
}

const gzip = (name: string, limit: number): Limit => ({ name, of: 'gzip', limit })

/** Scripts, by the name under which they are served. */
const SCRIPTS: Readonly<Record<string, Script>> = {
  'webmcp.js': {
    entry: 'polyfill/webmcp.ts',
    format: 'iife',
    limit: gzip('webmcp.js', 12_000),
  },
  'webmcp-core.js': {
    entry: 'polyfill/webmcp-core.ts',
    format: 'iife',
    limit: gzip('webmcp-core.js', 5 * 1024),
  },
  'webmcp.mjs': { entry: 'polyfill/index.ts', format: 'esm' },
  'webmcp-core.mjs': { entry: 'polyfill/core.ts', format: 'esm' },
  'webmcp-dialog.mjs': {
    entry: 'polyfill/annex/ui/index.ts',
    format: 'esm',
    limit: gzip('webmcp-dialog.mjs', 6_000),
  },
  'webmcp-forms.mjs': {
    entry: 'polyfill/declarative.ts',
    format: 'esm',
    limit: gzip('webmcp-forms.mjs', 6_000),
  },
  'webmcp-remote.mjs': {
    entry: 'polyfill/remote/connect.ts',
    format: 'esm',
    limit: gzip('webmcp-remote.mjs', 6_500),
  },
  'mcp-view.js': {
    entry: 'host/mcp-view.ts',
    format: 'iife',
    limit: gzip('mcp-view.js', 10_000),
  },
  'bridge.mjs': { entry: 'views/bridge.ts', format: 'esm', limit: gzip('guest bridge', 4_000) },
  'console.js': { entry: 'host/console/main.tsx', format: 'esm' },
  'console.css': { entry: 'host/console/style.css', format: 'esm' },
}

interface Page {
  readonly folder: string
  readonly entry: string
  readonly limit?: Limit
  /** Its script is gzipped: a view is transported as text inside JSON. */
  readonly packed?: true
}

/** Pages with script and style inlined. */
const PAGES: Readonly<Record<string, Page>> = {
  'sandbox.html': { folder: 'host/sandbox', entry: 'main.ts' },
  'views/review.html': {
    folder: 'views/review',
    entry: 'main.ts',
    limit: { name: 'review view', of: 'raw', limit: 70_000 },
  },
  'views/files.html': {
    folder: 'views/files',
    entry: 'main.ts',
    packed: true,
    limit: { name: 'files view', of: 'raw', limit: 57_000 },
  },
}

const OPTIONS = {
  absWorkingDir: ROOT,
  bundle: true,
  minify: true,
  target: 'es2024',
  define: { 'process.env.NODE_ENV': '"production"' },
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  charset: 'utf8',
  logLevel: 'warning',
  write: false,
} satisfies BuildOptions

async function bundled(entry: string, format: 'esm' | 'iife'): Promise<string> {
  const { outputFiles } = await esbuild({ ...OPTIONS, entryPoints: [entry], format })
  return outputFiles[0]?.text ?? ''
}

/** Builds an HTML file with its script and its style inlined. */
export async function page({ folder, entry, packed }: Page): Promise<string> {
  const html = readFileSync(inProject(folder, 'index.html'), 'utf8')
  const script = await bundled(join(folder, entry), 'iife')
  const style = html.includes(STYLE) ? await bundled(join(folder, 'style.css'), 'esm') : ''
  return html
    .replace(STYLE, () => `<style>${style.trim()}</style>`)
    .replace(SCRIPT, () => `<script>${packed ? pack(script) : inline(script)}</script>`)
}

/**
 * Returns a script that unpacks another one and runs it as an inline script with the same nonce, so
 * that the host's content security policy applies to both.
 */
function pack(script: string): string {
  const bytes = gzipSync(script.trim(), { level: 9 }).toString('base64')
  return UNPACK.replace('BYTES', bytes)
}

const UNPACK = `{const{nonce}=document.currentScript,s=document.createElement('script');new Response(new Blob([Uint8Array.from(atob('BYTES'),c=>c.charCodeAt())]).stream().pipeThrough(new DecompressionStream('gzip'))).text().then(t=>{s.nonce=nonce;s.textContent=t;document.head.append(s)})}`

/** Escapes the text that would end a script element. */
const inline = (script: string) => script.trim().replaceAll('</script', '<\\/script')

const STYLE = '<!-- style -->'
const SCRIPT = '<!-- script -->'

/** Builds all browser artefacts; returns the sizes of those with a limit. */
export async function buildArtefacts(): Promise<Size[]> {
  const scripts = Object.entries(SCRIPTS).map(async ([name, { entry, format, limit }]) =>
    kept(name, await bundled(entry, format), limit),
  )
  const pages = Object.entries(PAGES).map(async ([name, source]) =>
    kept(name, await page(source), source.limit),
  )
  const sizes = (await Promise.all([...scripts, ...pages])).flat()
  copyFileSync(inProject('host/console/index.html'), join(ASSETS_FOLDER, 'index.html'))
  return sizes
}

function kept(name: string, text: string, limit: Limit | undefined): Size[] {
  const file = join(ASSETS_FOLDER, name)
  mkdirSync(dirname(file), { recursive: true })
  // Written under another name and renamed, because a server may be reading the previous file.
  writeFileSync(`${file}.${process.pid}`, text)
  renameSync(`${file}.${process.pid}`, file)
  return limit ? [measure(file, limit)] : []
}
