/**
 * Builds the package `edgewise`: the program, the built Worker, and what browsers load. Installing it installs the local
 * platform, `miniflare`, and nothing else.
 *
 * `test/e2e/edgewise-package.slow.test.ts` runs it in an empty folder, as it is packed.
 *
 * @module
 */

import { build as esbuild, type BuildOptions, type Metafile } from 'esbuild'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { ENTRIES } from './artefacts.ts'
import { ASSETS_FOLDER, WORKER_FOLDER } from './built.ts'
import { OPTIONS } from './bundle.ts'
import { bundledPackages, writeLicenses } from './licenses.ts'
import { inProject, ROOT } from './settings.ts'

/** What is not bundled, but installed beside it. */
const INSTALLED = ['miniflare']

/** Writes the package into a folder, from what was built. */
export async function buildProgram(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const program = await bundleProgram(join(folder, 'bin'))
  cpSync(ASSETS_FOLDER, join(folder, 'dist/assets'), { recursive: true })
  cpSync(WORKER_FOLDER, join(folder, 'dist/worker'), { recursive: true })
  for (const file of ['wrangler.toml', 'packages/edgewise/README.md'])
    copyFileSync(inProject(file), join(folder, file.split('/').at(-1) ?? file))
  const contained = bundledPackages([program, await listWorker(), await listScripts()])
  writeFileSync(join(folder, 'LICENSE'), writeLicenses(contained))
  writeFileSync(join(folder, 'package.json'), manifest())
}

/** One file for the start, and one for each command, so that each loads only its own. */
async function bundleProgram(outdir: string): Promise<Metafile> {
  const { metafile } = await esbuild({
    absWorkingDir: ROOT,
    entryPoints: ['scripts/edgewise.ts'],
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20', // so that an older Node can say which one is needed
    minifySyntax: true,
    banner: { js: '#!/usr/bin/env node' },
    define: { EDGEWISE_PACKAGE: 'true', 'import.meta.main': 'false' },
    external: INSTALLED,
    metafile: true,
    legalComments: 'none',
    logLevel: 'warning',
  })
  chmodSync(join(outdir, 'edgewise.mjs'), 0o755)
  return metafile
}

const LISTED = { write: false, outdir: 'dist', metafile: true, logLevel: 'error' } as const

const listed = async (options: BuildOptions): Promise<Metafile> => {
  const { metafile } = await esbuild({ ...options, ...LISTED, metafile: true })
  return metafile
}

/** Lists what the Worker contains. */
const listWorker = () =>
  listed({ ...OPTIONS, plugins: [], loader: OPTIONS.loader, entryPoints: ['worker/index.ts'] })

/** Lists what the scripts of browsers contain. */
const listScripts = () =>
  listed({
    absWorkingDir: ROOT,
    entryPoints: Object.values(ENTRIES),
    bundle: true,
    format: 'esm',
    jsx: 'automatic',
    jsxImportSource: 'preact',
  })

const project = z.object({
  version: z.string(),
  license: z.string(),
  repository: z.unknown().optional(),
  devDependencies: z.record(z.string(), z.string()),
})

function manifest(): string {
  const text = readFileSync(inProject('package.json'), 'utf8')
  const { version, license, repository, devDependencies } = project.parse(JSON.parse(text))
  const fields = {
    name: 'edgewise',
    version,
    description: 'A file workspace for MCP agents, with previews, approvals, history and undo.',
    keywords: ['mcp', 'model-context-protocol', 'agents', 'files', 'approval'],
    license,
    repository,
    type: 'module',
    bin: { edgewise: './bin/edgewise.mjs' },
    files: ['bin', 'dist', 'wrangler.toml'],
    engines: { node: '>=22.13' },
    dependencies: Object.fromEntries(INSTALLED.map((name) => [name, devDependencies[name]])),
    publishConfig: { access: 'public', provenance: true },
  }
  return `${JSON.stringify(fields, null, 2)}\n`
}
