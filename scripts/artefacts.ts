/**
 * Browser artefacts: each script, page and view, with its size limit.
 *
 * A view is one self-contained HTML file, because its sandbox cannot load other files.
 *
 * @module
 */

import { build as esbuild, type BuildOptions, type Plugin } from 'esbuild'
import { copyFileSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { minifySync } from 'vite'
import { VIEWS, type ViewName } from '../worker/views.ts'
import { ASSETS_FOLDER } from './built.ts'
import { inProject, ROOT } from './settings.ts'
import { measure, type Limit, type Size } from './sizes.ts'

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
    limit: gzip('webmcp.js', 15_000),
  },
  'webmcp-core.js': {
    entry: 'polyfill/webmcp-core.ts',
    format: 'iife',
    limit: gzip('webmcp-core.js', 5_500),
  },
  'webmcp.mjs': {
    entry: 'polyfill/index.ts',
    format: 'esm',
    limit: gzip('webmcp.mjs', 26_500),
  },
  'webmcp-core.mjs': { entry: 'polyfill/core.ts', format: 'esm' },
  'webmcp-dialog.mjs': {
    entry: 'polyfill/approval/ui/index.ts',
    format: 'esm',
    limit: gzip('webmcp-dialog.mjs', 7_600),
  },
  'webmcp-forms.mjs': {
    entry: 'polyfill/declarative.ts',
    format: 'esm',
    limit: gzip('webmcp-forms.mjs', 6_000),
  },
  'webmcp-frames.mjs': {
    entry: 'polyfill/approval/cross-origin-tools.ts',
    format: 'esm',
    limit: gzip('webmcp-frames.mjs', 2_500),
  },
  'webmcp-approvals.mjs': {
    entry: 'polyfill/approval/remembered/index.ts',
    format: 'esm',
    limit: gzip('webmcp-approvals.mjs', 4_000),
  },
  'webmcp-devtools.mjs': {
    entry: 'polyfill/devtools-panel/index.ts',
    format: 'esm',
    limit: gzip('webmcp-devtools.mjs', 6_000),
  },
  'webmcp-remote.mjs': {
    entry: 'polyfill/remote/connect.ts',
    format: 'esm',
    limit: gzip('webmcp-remote.mjs', 6_500),
  },
  'mcp-view.js': {
    entry: 'host/mcp-view.ts',
    format: 'iife',
    limit: gzip('mcp-view.js', 11_000),
  },
  'mcp-view.mjs': { entry: 'host/mcp-view.ts', format: 'esm' },
  'bridge.mjs': { entry: 'views/bridge.ts', format: 'esm', limit: gzip('guest bridge', 4_000) },
  'console.js': { entry: 'host/console/main.tsx', format: 'esm' },
  'playground.js': {
    entry: 'host/playground/main.ts',
    format: 'esm',
    limit: gzip('playground.js', 6_000),
  },
  'playground.css': { entry: 'host/playground/style.css', format: 'esm' },
  'push.js': {
    entry: 'host/push-worker/main.ts',
    format: 'iife',
    limit: gzip('push.js', 3_500),
  },
  'console.css': { entry: 'host/console/style.css', format: 'esm' },
}

/** The entry of each script. */
export const ENTRIES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(SCRIPTS).map(([name, { entry }]) => [name, entry]),
)

interface Page {
  readonly folder: string
  readonly limit?: Limit
  /** Whether its script and style are gzipped. */
  readonly packed?: boolean
}

interface ViewBuild {
  /** Largest size in bytes of the HTML, which is transported as text inside JSON. */
  readonly limit: number
  /** Whether its script and style are gzipped: smaller on the wire, and a little slower to start. */
  readonly packed: boolean
}

/** How views are built that have no entry in {@link VIEW_BUILDS}. */
const VIEW_BUILD: ViewBuild = { limit: 77_000, packed: false }

const VIEW_BUILDS: Readonly<Record<string, ViewBuild>> = {
  files: { limit: 58_000, packed: true },
  templates: { limit: 80_000, packed: true },
} satisfies Partial<Record<ViewName | 'templates', ViewBuild>>

/** Pages with script and style inlined. */
const PAGES: Readonly<Record<string, Page>> = {
  'sandbox.html': { folder: 'host/sandbox' },
  ...Object.fromEntries(
    // The templates of apps are no view of their own: the server puts an app into their page.
    [...Object.keys(VIEWS), 'templates'].map((name) => [`views/${name}.html`, viewPage(name)]),
  ),
}

/** Returns the page of a view, from its folder in `views/`. */
function viewPage(name: string): Page {
  const { limit, packed } = VIEW_BUILDS[name] ?? VIEW_BUILD
  return { folder: `views/${name}`, packed, limit: { name: `${name} view`, of: 'raw', limit } }
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

/** Modules that a script imports late from its own folder, by their sources. */
const LATE: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(SCRIPTS).map(([name, { entry }]) => [inProject(entry), name]),
)

/** Leaves dynamic imports of other scripts to the browser. */
const keepScripts: Plugin = {
  name: 'keep-scripts',
  setup(build) {
    build.onResolve({ filter: /^\.\.?\// }, ({ kind, path, resolveDir }) => {
      const name = kind === 'dynamic-import' ? LATE[join(resolveDir, path)] : undefined
      return name === undefined ? undefined : { path: `./${name}`, external: true }
    })
  },
}

async function bundleText(entry: string, format: 'esm' | 'iife'): Promise<string> {
  const plugins = [keepScripts]
  const { outputFiles } = await esbuild({ ...OPTIONS, entryPoints: [entry], format, plugins })
  return outputFiles[0]?.text ?? ''
}

/**
 * Bundles a script for other people's pages. A second minifier makes it a few percent smaller, as
 * it inlines functions that are used once.
 */
export async function bundleScript(entry: string, format: 'esm' | 'iife'): Promise<string> {
  const { code, errors } = minifySync('script.js', await bundleText(entry, format), {
    compress: { target: OPTIONS.target },
    mangle: true,
  })
  if (errors.length > 0) throw new Error(`Cannot minify ${entry}: ${errors[0]?.message}`)
  return `${code}\n`
}

/** Builds an HTML file with its script, `main.ts`, and its style inlined. */
async function buildPage({ folder, packed }: Page): Promise<string> {
  const html = readFileSync(inProject(folder, 'index.html'), 'utf8')
  const script = await bundleText(join(folder, 'main.ts'), 'iife')
  const style = html.includes(STYLE) ? await bundleText(join(folder, 'style.css'), 'esm') : ''
  if (packed)
    return html
      .replace(STYLE, '')
      .replace(SCRIPT, () => `<script>${pack(adopt(style) + script.trim())}</script>`)
  return html
    .replace(STYLE, () => `<style>${style.trim()}</style>`)
    .replace(SCRIPT, () => `<script>${inline(script)}</script>`)
}

/** Returns a script that applies a style, as no policy of a host for elements with styles concerns it. */
const adopt = (style: string) =>
  `{const s=new CSSStyleSheet();s.replaceSync(${JSON.stringify(style.trim())});document.adoptedStyleSheets.push(s)}`

/**
 * Returns a script that unpacks another one and runs it as an inline script with the same nonce, so
 * that the host's content security policy applies to both.
 */
function pack(script: string): string {
  const bytes = gzipSync(script, { level: 9 }).toString('base64')
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
    writeArtefact(name, await bundleAsset(name, entry, format), limit),
  )
  const pages = Object.entries(PAGES).map(async ([name, source]) =>
    writeArtefact(name, await buildPage(source), source.limit),
  )
  const sizes = (await Promise.all([...scripts, ...pages])).flat()
  copyConsole()
  for (const file of globSync('packages/*/types/*.d.ts', { cwd: ROOT }))
    copyFileSync(inProject(file), join(ASSETS_FOLDER, basename(file)))
  return sizes
}

/** Copies the pages of the console and the playground, and what devices load to install the console. */
function copyConsole(): void {
  mkdirSync(join(ASSETS_FOLDER, 'icons'), { recursive: true })
  const from = (name: string) => inProject('host/console', name)
  for (const name of ['index.html', 'console.webmanifest'])
    copyFileSync(from(name), join(ASSETS_FOLDER, name))
  copyFileSync(inProject('host/playground/playground.html'), join(ASSETS_FOLDER, 'playground.html'))
  for (const icon of globSync('*.{svg,png}', { cwd: from('icons') }))
    copyFileSync(from(`icons/${icon}`), join(ASSETS_FOLDER, 'icons', icon))
}

const bundleAsset = (name: string, entry: string, format: Script['format']) =>
  /^(?:webmcp|mcp-view\.js)/.test(name) ? bundleScript(entry, format) : bundleText(entry, format)

function writeArtefact(name: string, text: string, limit: Limit | undefined): Size[] {
  const file = join(ASSETS_FOLDER, name)
  mkdirSync(dirname(file), { recursive: true })
  // Written under another name and renamed, because a server may be reading the previous file.
  writeFileSync(`${file}.${process.pid}`, text)
  renameSync(`${file}.${process.pid}`, file)
  return limit ? [measure(file, limit)] : []
}
