/**
 * `npm run packages`: builds `@edgewise/webmcp`, `@edgewise/mcp-view` and `edgewise` into `dist/packages/`.
 *
 * Each folder is ready for `npm pack` and `npm publish`. The scripts are those that the server serves, the types
 * those in `packages/`, and the version that of this project. `test/e2e/packages.slow.test.ts` installs and uses the first
 * two, `test/e2e/edgewise-package.slow.test.ts` the third.
 *
 * @module
 */

import { build as esbuild, type Metafile, type Plugin } from 'esbuild'
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { buildArtefacts, ENTRIES } from './artefacts.ts'
import { ASSETS_FOLDER } from './built.ts'
import { buildIfOld } from './build.ts'
import { refuseArguments } from './command-line.ts'
import { buildProgram } from './edgewise-package.ts'
import { runScript } from './errors.ts'
import { bundledPackages, writeLicenses } from './licenses.ts'
import { inProject, ROOT } from './settings.ts'

/** The folder with a folder for each package. */
const PACKAGES_FOLDER = inProject('dist/packages')

type Exports = Readonly<Record<string, string | Readonly<Record<'types' | 'default', string>>>>

interface Package {
  readonly description: string
  readonly keywords: readonly string[]
  /** Served scripts that are part of it. */
  readonly scripts: readonly string[]
  readonly exports: Exports
  /** Modules that do something when they are imported. */
  readonly sideEffects: readonly string[] | false
  /** Packages that an entry needs, which not every page has, with their versions. */
  readonly optionalPeers?: Readonly<Record<string, string>>
}

const entry = (script: string, name: string) => ({
  types: `./types/${name}.d.ts`,
  default: `./${script}`,
})

/** Types without a module: TypeScript reads them, and `import type` leaves nothing of them. */
const typesOnly = (file: string) => ({ types: file, default: './types-only.mjs' })

const PACKAGES: Readonly<Record<string, Package>> = {
  webmcp: {
    description: 'WebMCP (document.modelContext) for any page, with human approval of tool calls',
    keywords: ['webmcp', 'mcp', 'model-context', 'polyfill', 'agents'],
    scripts: [
      'webmcp.mjs',
      'webmcp-core.mjs',
      'webmcp-forms.mjs',
      'webmcp.js',
      'webmcp-core.js',
      'webmcp-dialog.mjs',
      'webmcp-frames.mjs',
      'webmcp-remote.mjs',
      'webmcp-approvals.mjs',
      'webmcp-devtools.mjs',
    ],
    exports: {
      '.': entry('webmcp.mjs', 'webmcp'),
      './core': entry('webmcp-core.mjs', 'webmcp-core'),
      './forms': entry('webmcp-forms.mjs', 'webmcp-forms'),
      './react': entry('react.mjs', 'webmcp-react'),
      './devtools': { types: './types-only.d.ts', default: './webmcp-devtools.mjs' },
      './globals': typesOnly('./globals.d.ts'),
      './package.json': './package.json',
    },
    sideEffects: ['./webmcp.js', './webmcp-core.js', './webmcp-devtools.mjs'],
    optionalPeers: { react: '>=18' },
  },
  'mcp-view': {
    description: 'The <mcp-view> element, which hosts MCP Apps in any page, and a bridge for apps',
    keywords: ['mcp', 'mcp-apps', 'mcp-ui', 'custom-element', 'web-component'],
    scripts: ['mcp-view.mjs', 'mcp-view.js', 'bridge.mjs'],
    exports: {
      '.': entry('mcp-view.mjs', 'mcp-view'),
      './bridge': entry('bridge.mjs', 'bridge'),
      './sandbox': entry('sandbox.mjs', 'sandbox'),
      './server': entry('server.mjs', 'server'),
      './react': typesOnly('./react.d.ts'),
      './preact': typesOnly('./preact.d.ts'),
      './package.json': './package.json',
    },
    sideEffects: ['./mcp-view.mjs', './mcp-view.js'],
  },
}

/** Provenance needs a `repository`; who publishes sets it, and the addresses of pages, in the project's manifest. */
const project = z.object({
  version: z.string(),
  license: z.string(),
  repository: z.unknown().optional(),
  homepage: z.string().optional(),
  bugs: z.unknown().optional(),
})

/** Writes the package of the program; returns its folder. */
export async function buildProgramPackage(): Promise<string> {
  await buildIfOld()
  const folder = join(PACKAGES_FOLDER, 'edgewise')
  await buildProgram(folder)
  return folder
}

/** Writes the packages for pages; returns their folders. */
export async function buildPackages(): Promise<string[]> {
  await buildArtefacts()
  const built = Object.entries(PACKAGES).map(async ([name, content]) => {
    const folder = join(PACKAGES_FOLDER, name)
    rmSync(folder, { recursive: true, force: true })
    copySources(name, folder)
    for (const script of content.scripts)
      copyFileSync(join(ASSETS_FOLDER, script), join(folder, script))
    for (const module of Object.keys(SERVER_MODULES))
      if (`./${module}` in content.exports) await buildForServers(module, folder)
    if ('./react' in content.exports && name === 'webmcp') await buildHooks(folder)
    for (const file of ['types-only.mjs', 'types-only.d.ts'])
      writeFileSync(join(folder, file), 'export {}\n')
    writeFileSync(
      join(folder, 'LICENSE'),
      writeLicenses(bundledPackages([await listScripts(content.scripts)])),
    )
    writeFileSync(join(folder, 'package.json'), manifest(name, content))
    return folder
  })
  return Promise.all(built)
}

/** The README, the reference and the types; modules for servers are built. */
function copySources(name: string, folder: string): void {
  const cwd = inProject('packages', name)
  for (const file of globSync(['README.md', '**/*.d.ts'], { cwd })) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    copyFileSync(join(cwd, file), join(folder, file))
  }
  mkdirSync(join(folder, 'docs'), { recursive: true })
  writeFileSync(join(folder, 'docs', `${name}.md`), packedPage(`docs/${name}.md`))
}

/** Returns a page without its links to other files of this project, which a package does not have. */
const packedPage = (file: string) =>
  readFileSync(inProject(file), 'utf8').replace(/\[([^\]]+)\]\((?!https?:|#)[^)\s]+\)/g, '$1')

function manifest(name: string, content: Package): string {
  const { description, keywords, exports, sideEffects, optionalPeers } = content
  const text = readFileSync(inProject('package.json'), 'utf8')
  const { version, license, repository, bugs, ...pages } = project.parse(JSON.parse(text))
  const { types, default: main } = z
    .object({ types: z.string(), default: z.string() })
    .parse(exports['.'])
  const fields = {
    name: `@edgewise/${name}`,
    version,
    description,
    keywords,
    license,
    repository,
    // The reference is in the package, so a page of it exists as soon as that is published.
    homepage: pages.homepage ?? `https://cdn.jsdelivr.net/npm/@edgewise/${name}@0/docs/${name}.md`,
    bugs,
    type: 'module',
    main,
    types,
    exports,
    sideEffects,
    ...(optionalPeers && {
      peerDependencies: optionalPeers,
      peerDependenciesMeta: optional(Object.keys(optionalPeers)),
    }),
    files: ['*.js', '*.mjs', '*.d.ts', 'types', 'docs'],
    publishConfig: { access: 'public', provenance: true },
  }
  return `${JSON.stringify(fields, null, 2)}\n`
}

const optional = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { optional: true }]))

/** Modules for servers, and the built page that each has in it, by the name of a constant. */
const SERVER_MODULES: Readonly<Record<string, readonly [constant: string, page: string]>> = {
  sandbox: ['SANDBOX_PAGE', 'sandbox.html'],
  server: ['TEMPLATES_PAGE', 'views/templates.html'],
}

/** Builds a module for servers of `packages/mcp-view` into a folder. */
export async function buildForServers(module: string, folder: string): Promise<void> {
  const [constant = '', page = ''] = SERVER_MODULES[module] ?? []
  await esbuild({
    absWorkingDir: ROOT,
    entryPoints: [`packages/mcp-view/${module}.ts`],
    outfile: join(folder, `${module}.mjs`),
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2024',
    define: { [constant]: JSON.stringify(readFileSync(join(ASSETS_FOLDER, page), 'utf8')) },
    logLevel: 'warning',
  })
}

/** Builds the hooks of React, which import the module of the package beside them. */
async function buildHooks(folder: string): Promise<void> {
  await esbuild({
    absWorkingDir: ROOT,
    entryPoints: ['packages/webmcp/react.ts'],
    outfile: join(folder, 'react.mjs'),
    bundle: true,
    format: 'esm',
    target: 'es2024',
    banner: { js: "'use client'" }, // frameworks that render on a server
    external: ['react'],
    plugins: [besideModule],
    logLevel: 'warning',
  })
}

const besideModule: Plugin = {
  name: 'beside-module',
  setup(build) {
    build.onResolve({ filter: /^@edgewise\/webmcp$/ }, () => ({
      path: './webmcp.mjs',
      external: true,
    }))
  },
}

/** Lists what served scripts contain. */
async function listScripts(scripts: readonly string[]): Promise<Metafile> {
  const { metafile } = await esbuild({
    absWorkingDir: ROOT,
    entryPoints: scripts.flatMap((script) => ENTRIES[script] ?? []),
    bundle: true,
    write: false,
    outdir: 'dist',
    metafile: true,
    format: 'esm',
    logLevel: 'error',
  })
  return metafile
}

/** What the command line asks for. */
export async function run(): Promise<void> {
  refuseArguments('run packages', {}, 'Use npm run packages')
  for (const folder of await buildPackages()) console.log(folder)
  console.log(await buildProgramPackage())
}

if (import.meta.main) await runScript(run)
