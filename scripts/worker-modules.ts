/**
 * The modules of the built Worker: the one that workerd starts, those that it imports on first use, and the code that
 * they share, which is in modules of its own, because workerd parses every module before the first response.
 *
 * `test/e2e/deploy.slow.test.ts` compares them with those of a deployment.
 *
 * @module
 */

import { build, type Metafile, type OutputFile } from 'esbuild'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { MODULE_EXTENSION, WORKER_FILE, WORKER_FOLDER, workerModules } from './built.ts'
import { removeConverter } from './bundle-plugins.ts'
import { OPTIONS } from './bundle.ts'
import { inProject, ROOT } from './settings.ts'
import { measure, type Limit, type Size } from './sizes.ts'

/** How the names of modules with shared code begin. */
const SHARED = 'shared-'

interface Entry extends Pick<Limit, 'name'> {
  readonly entry: string
  /** Limit in bytes, gzipped. */
  readonly limit: number
}

/** The entries by the names of their modules; all but the first are imported on first use. */
const ENTRIES: Readonly<Record<string, Entry>> = {
  index: { entry: 'worker/index.ts', name: 'Worker', limit: 292_000 },
  'owner-gate': {
    entry: 'worker/auth/owner-gate.ts',
    name: 'Sign-in, loaded late',
    limit: 60_000,
  },
  sdk: { entry: 'worker/mcp/sdk.ts', name: 'MCP SDK, loaded late', limit: 60_000 },
  pattern: {
    entry: 'worker/search/pattern.ts',
    name: 'Regular expressions, loaded late',
    limit: 50_000,
  },
  highlight: {
    entry: 'worker/tools/lib/highlight.ts',
    name: 'Syntax colours, loaded late',
    limit: 6_000,
  },
  mismatch: {
    entry: 'worker/tools/lib/mismatch.ts',
    name: 'Failed edits, loaded late',
    limit: 4_000,
  },
  export: { entry: 'worker/archive/export.ts', name: 'Export, loaded late', limit: 8_000 },
  'open-research': {
    entry: 'worker/mcp/open-research.ts',
    name: 'Research, loaded late',
    limit: 6_000,
  },
  'serve-dav': { entry: 'worker/dav/serve-dav.ts', name: 'WebDAV, loaded late', limit: 16_000 },
  'serve-page': {
    entry: 'worker/page-links/serve-page.ts',
    name: 'Pages for people, loaded late',
    limit: 20_000,
  },
  import: { entry: 'worker/archive/import.ts', name: 'Import, loaded late', limit: 12_000 },
  'fetch-file': {
    entry: 'worker/archive/fetch-file.ts',
    name: 'Imports of single files, loaded late',
    limit: 4_000,
  },
  'open-notifier': {
    entry: 'worker/notifier/open-notifier.ts',
    name: 'Notifier, loaded late',
    limit: 12_000,
  },
  documents: {
    entry: 'worker/store/content/documents.ts',
    name: 'Texts of documents, loaded late',
    limit: 6_000,
  },
  extract: {
    entry: 'worker/texts/documents/extract.ts',
    name: 'Documents, loaded late',
    limit: 20_000,
  },
  pdf: { entry: 'worker/texts/documents/pdf.ts', name: 'PDF, loaded late', limit: 520_000 },
  frontmatter: {
    entry: 'worker/skills/frontmatter.ts',
    name: 'Frontmatter of skills, loaded late',
    limit: 40_000,
  },
  verify: { entry: 'worker/passkeys/verify.ts', name: 'Passkeys, loaded late', limit: 26_000 },
}

const entryPoints = Object.fromEntries(
  Object.entries(ENTRIES).map(([module, { entry }]) => [module, entry]),
)

/** Builds the modules and returns their sizes; esbuild prints the errors. */
export async function buildWorker(): Promise<Size[]> {
  const { outputFiles, metafile } = await build({
    ...OPTIONS,
    plugins: [...OPTIONS.plugins, removeConverter],
    entryPoints,
    outdir: WORKER_FOLDER,
    splitting: true,
    outExtension: { '.js': MODULE_EXTENSION },
    chunkNames: `${SHARED}[hash]`,
    write: false,
    metafile: true,
  }).catch(() => {
    throw new Error('Cannot bundle the Worker')
  })
  writeModules(outputFiles)
  return measureModules(metafile)
}

/** Writes shared modules first, so that another process which starts now finds what it imports. */
function writeModules(files: readonly OutputFile[]): void {
  mkdirSync(WORKER_FOLDER, { recursive: true })
  const { shared = [], named = [] } = Object.groupBy(files, ({ path }) =>
    basename(path).startsWith(SHARED) ? 'shared' : 'named',
  )
  for (const { path, contents } of [...shared, ...named]) {
    const fresh = `${path}.${process.pid}`
    writeFileSync(fresh, contents)
    renameSync(fresh, path)
  }
  const current = new Set(files.map(({ path }) => path))
  for (const path of Object.values(workerModules())) if (!current.has(path)) rmSync(path)
}

/** A module counts with the shared ones that it imports, unless the main module has loaded them. */
function measureModules({ outputs }: Metafile): Size[] {
  const main = loadedWith(WORKER_FILE, outputs)
  return Object.entries(ENTRIES).map(([module, { name, limit }]) => {
    const file = join(WORKER_FOLDER, `${module}${MODULE_EXTENSION}`)
    const isLoaded = (path: string) => file !== WORKER_FILE && main.has(path)
    const others = [...loadedWith(file, outputs)].filter((path) => !isLoaded(path))
    return measure(file, { name, of: 'gzip', limit }, others)
  })
}

/** Returns the shared modules that a module imports, directly or through each other. */
function loadedWith(file: string, outputs: Metafile['outputs']): Set<string> {
  const found = new Set<string>()
  const add = (path: string) => {
    const imported = outputs[relative(ROOT, path)]?.imports ?? []
    for (const { path: next, external } of imported) {
      const shared = inProject(next)
      if (external || found.has(shared)) continue
      found.add(shared)
      add(shared)
    }
  }
  add(file)
  return found
}
