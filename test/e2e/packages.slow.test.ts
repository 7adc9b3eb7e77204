/**
 * `@edgewise/webmcp` and `@edgewise/mcp-view` as a reader gets them: packed, installed without a network, and used in
 * Vite, in script elements, from TypeScript and on a server. The examples of their reference pages run here, too.
 *
 * @module
 */

import { build as esbuild } from 'esbuild'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Page } from 'playwright'
import { publint } from 'publint'
import { build as viteBuild } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inProject } from '../../scripts/settings.ts'
import { installPackages, runTool, type Project } from '../support/e2e/installed-packages.ts'
import { removeFolder, temporaryFolder } from '../support/e2e/folder.ts'
import { servePackageSite } from '../support/e2e/package-site.ts'
import { useServer } from '../support/e2e/server.ts'
import { useBrowser } from '../support/pages/browser.ts'
import { NOT_NATIVE } from '../support/pages/chromium.ts'
import { answer, question } from '../support/pages/approval-dialog.ts'

const folder = temporaryFolder()
let project: Project = { folder, tarballs: [] }

beforeAll(async () => {
  project = await installPackages(folder)
}, 120_000)
afterAll(() => removeFolder(folder))

const browser = useBrowser(NOT_NATIVE)
const NAMES = ['webmcp', 'mcp-view']
const installed = (...parts: string[]) => join(folder, 'node_modules/@edgewise', ...parts)

describe.each(NAMES)('@edgewise/%s', (name) => {
  it('has the version of the project, a license, and no dependencies', () => {
    const manifest: unknown = JSON.parse(readFileSync(installed(name, 'package.json'), 'utf8'))
    const { version }: { version: string } = JSON.parse(
      readFileSync(inProject('package.json'), 'utf8'),
    )
    expect(manifest).toMatchObject({ version, license: 'MIT', publishConfig: { provenance: true } })
    for (const field of ['dependencies', 'optionalDependencies', 'scripts'])
      expect(manifest).not.toHaveProperty(field)
    expect(readFileSync(installed(name, 'LICENSE'), 'utf8')).toContain('MIT License')
  })

  it('has a page whose links lead somewhere', () => {
    const manifest: { homepage: string } = JSON.parse(
      readFileSync(installed(name, 'package.json'), 'utf8'),
    )
    const here = `https://cdn.jsdelivr.net/npm/@edgewise/${name}@0/`
    const readme = readFileSync(installed(name, 'README.md'), 'utf8')
    const reference = readFileSync(installed(name, `docs/${name}.md`), 'utf8')
    const links = [...`${readme}${reference}`.matchAll(/\]\(([^)\s]+)\)/g)].map(([, to = '']) => to)
    for (const link of [manifest.homepage, ...links])
      if (link.startsWith('#'))
        expect(reference.toLowerCase()).toContain(`# ${link.slice(1).replaceAll('-', ' ')}`)
      else if (link.startsWith(here)) readFileSync(installed(name, link.slice(here.length)))
      else expect(link).toMatch(/^https:\/\//)
    expect(links.length).toBeGreaterThan(0)
  })

  it('passes publint and attw', async () => {
    const { messages } = await publint({ pkgDir: installed(name), pack: false, strict: true })
    expect(messages).toEqual([])
    const tarball = project.tarballs.find((file) => basename(file).startsWith(`edgewise-${name}`))
    expect(await runTool(folder, 'attw', tarball ?? '', '--profile', 'esm-only')).toMatchObject({
      code: 0,
    })
  })
})

it('needs no React without its hooks', () => {
  const manifest: unknown = JSON.parse(readFileSync(installed('webmcp', 'package.json'), 'utf8'))
  expect(manifest).toMatchObject({
    peerDependencies: { react: '>=18' },
    peerDependenciesMeta: { react: { optional: true } },
  })
  const hooks = readFileSync(installed('webmcp/react.mjs'), 'utf8')
  expect([...hooks.matchAll(/ from "([^"]*)"/g)].map(([, name]) => name)).toEqual([
    './webmcp.mjs',
    'react',
  ])
})

it('names the licenses of bundled code', () => {
  const text = readFileSync(installed('webmcp/LICENSE'), 'utf8')
  expect(text).toContain('This package contains idb-keyval')
})

it('can be imported and applied on a server, where they do nothing', async () => {
  const entries = [
    ...['webmcp', 'webmcp/core', 'webmcp/forms', 'webmcp/react'],
    ...['mcp-view', 'mcp-view/bridge', 'mcp-view/sandbox', 'mcp-view/server'],
  ]
  const code = `for (const entry of ${JSON.stringify(entries)}) {
    const { apply } = await import('@edgewise/' + entry)
    apply?.()
  }`
  expect(await runTool(folder, 'node', '--input-type=module', '-e', code)).toEqual({
    code: 0,
    output: '',
  })
})

describe('TypeScript', () => {
  // The types of the MCP client and server do not compile in a page without those of Node, so only one of both checks libraries.
  it.each([
    ['bundler', 'esnext', true],
    ['nodenext', 'nodenext', false],
  ])('compiles the examples with %s', async (moduleResolution, module, skipLibCheck) => {
    const source = join(folder, moduleResolution)
    mkdirSync(source, { recursive: true })
    for (const name of NAMES)
      cpSync(inProject('packages', name, 'examples'), source, { recursive: true })
    for (const [index, text] of snippets(skipLibCheck).entries())
      writeFileSync(join(source, `snippet-${index}.tsx`), text)
    writeFileSync(join(source, 'types.ts'), TYPES)
    writeFileSync(join(source, 'preact.tsx'), PREACT)
    const compilerOptions = {
      ...{ module, moduleResolution, target: 'es2024', lib: ['es2024', 'dom', 'dom.iterable'] },
      ...{ strict: true, exactOptionalPropertyTypes: true, verbatimModuleSyntax: true },
      ...{ jsx: 'react-jsx', types: [], noEmit: true, skipLibCheck },
    }
    if (!skipLibCheck) for (const file of ['view.tsx', 'server.ts']) rmSync(join(source, file))
    writeFileSync(join(source, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
    expect(await runTool(source, 'tsc', '-p', '.')).toEqual({ code: 0, output: '' })
  })
})

/** Code of the documentation that imports the packages, also with those of MCP. */
function snippets(isWithMcp: boolean): string[] {
  const pages = [
    'docs/webmcp.md',
    'docs/mcp-view.md',
    ...NAMES.map((name) => `packages/${name}/README.md`),
  ]
  const blocks = pages.flatMap((page) => [
    ...readFileSync(inProject(page), 'utf8').matchAll(/^```tsx?\n([^]*?)^```$/gm),
  ])
  const found = blocks
    .map(([, code = '']) => code)
    .filter((code) => code.includes("'@edgewise/"))
    .filter((code) => isWithMcp || !code.includes("'@modelcontextprotocol/"))
  expect(found.length).toBeGreaterThan(4)
  return found
}

const TYPES = `import '@edgewise/mcp-view'
import { connectHost, type Bridge } from '@edgewise/mcp-view/bridge'
import { apply as applyCore } from '@edgewise/webmcp/core'
import { formTools } from '@edgewise/webmcp/forms'
import type {} from '@edgewise/webmcp/globals'

applyCore({ additions: [formTools()] })
const view = document.querySelector('mcp-view')
if (view) view.toolInput = { path: '/' }
// @ts-expect-error: not an object
if (view) view.toolInput = 1
document.body.addEventListener('mcp-state', ({ detail }) => detail.state satisfies string)
const bridge: Bridge = await connectHost({ name: 'a', version: '1' })
bridge.on('context', ({ theme }) => theme satisfies 'light' | 'dark' | undefined)
// @ts-expect-error: unknown level
document.modelContext.registerTool({ name: 'a', description: 'a', execute() {}, annotations: { humanInTheLoopHint: 'ask' } })
`

const PREACT = `/** @jsxImportSource preact */
import type { Tool, ViewServer } from '@edgewise/mcp-view'
import type {} from '@edgewise/mcp-view/preact'

export const good = (server: ViewServer, tool: Tool) => (
  <mcp-view class="app" server={server} tool={tool} height={300} onmcp-size={({ detail }) => detail.height} />
)
// @ts-expect-error: not a server
export const bad = <mcp-view server="here" />
`

/** An app that shows what it gets; the bridge is bundled into it. */
async function appFile(): Promise<string> {
  const contents = `import { connectHost } from '@edgewise/mcp-view/bridge'
    const bridge = await connectHost({ name: 'probe', version: '1' })
    bridge.on('result', ({ structuredContent }) => (document.body.textContent = structuredContent.word))`
  const { outputFiles } = await esbuild({
    stdin: { contents, resolveDir: folder },
    bundle: true,
    format: 'esm',
    minify: true,
    write: false,
  })
  return `<!doctype html><title>Probe</title><body><script type="module">${outputFiles[0]?.text}</script>`
}

const MAIN = `import '@edgewise/mcp-view'
import { h, render } from 'preact'
import '@edgewise/webmcp/devtools'
import { apply, call, list } from '@edgewise/webmcp'
apply()
await document.modelContext.registerTool({
  name: 'greet', description: 'Greets', annotations: { humanInTheLoopHint: 'none' },
  execute: ({ name }) => 'Hello, ' + name,
})
const [tool] = await list()
document.title = await call(tool, { name: 'Vite' })
const sandbox = location.origin.replace('localhost', '127.0.0.1') + '/sandbox'
const html = await (await fetch('/app.html')).text()
const toolResult = { content: [], structuredContent: { word: 'shown' } }
const ready = ({ detail }) => (document.body.dataset.state = detail.state)
render(h('mcp-view', { sandbox, html, toolResult, 'onmcp-state': ready }), document.body)
`

it('runs in a page that Vite built', async () => {
  const root = join(folder, 'vite')
  mkdirSync(root)
  writeFileSync(
    join(root, 'index.html'),
    '<!doctype html><script type="module" src="/main.js"></script>',
  )
  writeFileSync(join(root, 'main.js'), MAIN)
  await viteBuild({ root, configFile: false, logLevel: 'error', build: { target: 'es2024' } })
  cpSync(join(root, 'dist'), folder, { recursive: true })
  writeFileSync(join(folder, 'app.html'), await appFile())
  const site = await servePackageSite(folder)
  const page = await browser.open(`${site.origin}/index.html`)
  await expect.poll(() => page.title()).toBe('Hello, Vite')
  await page.frameLocator('mcp-view iframe').frameLocator('iframe').getByText('shown').waitFor()
  await page.locator('body[data-state=ready]').waitFor()
  await page.locator('webmcp-devtools').getByText('WebMCP · 1 tool').waitFor()
  await page.context().close()
  await site.close()
})

const AT = '/node_modules/@edgewise'
const NOTE = `document.modelContext.registerTool({
  name: 'note', description: 'Notes', annotations: { intentTemplate: 'Note {text}' },
  execute: ({ text }) => (document.title = text),
})`

it.each([
  [
    'a script',
    `<script src="${AT}/webmcp/webmcp.js"></script><script type="module">await ${NOTE}</script>`,
  ],
  [
    'a module',
    `<script type="module">import { apply } from '${AT}/webmcp/webmcp.mjs'; apply(); await ${NOTE}</script>`,
  ],
])('asks in a page with %s', async (_, html) => {
  writeFileSync(
    join(folder, 'plain.html'),
    `<!doctype html><html lang="en"><title>-</title>${html}`,
  )
  const site = await servePackageSite(folder)
  const page = await browser.open(`${site.origin}/plain.html`)
  await expect.poll(() => toolsOf(page)).toEqual(['note'])
  const calling = callTool(page, 'note', { text: 'kept' })
  expect((await question(page)).text).toContain('Note kept')
  await answer(page, 'Allow once')
  await calling
  expect(await page.title()).toBe('kept')
  await page.context().close()
  await site.close()
})

it.each([
  ['a script', `<script src="${AT}/mcp-view/mcp-view.js"></script>`],
  ['a module', `<script type="module" src="${AT}/mcp-view/mcp-view.mjs"></script>`],
])('shows an app in a page with %s', async (_, script) => {
  const site = await servePackageSite(folder)
  const html = `<!doctype html><html lang="en"><title>-</title>
    <meta name="edgewise-sandbox" content="${site.sandbox}">${script}
    <body><mcp-view></mcp-view><script type="module">
    const view = document.querySelector('mcp-view')
    view.html = await (await fetch('/app.html')).text()
    view.toolResult = { structuredContent: { word: 'plain' } }
    </script>`
  writeFileSync(join(folder, 'app.html'), await appFile())
  writeFileSync(join(folder, 'plain.html'), html)
  const page = await browser.open(`${site.origin}/plain.html`)
  await page.frameLocator('mcp-view iframe').frameLocator('iframe').getByText('plain').waitFor()
  await page.context().close()
  await site.close()
})

it('serves a sandbox that other pages cannot embed, and that apps cannot open', async () => {
  const site = await servePackageSite(folder)
  const served = await fetch(`${site.sandbox}?csp={"connectDomains":["https://a.example; x"]}`)
  const policy = served.headers.get('content-security-policy')
  expect(policy).toContain(`frame-ancestors ${site.origin}`)
  expect(policy).toContain("connect-src 'none'")
  const own = await fetch(site.sandbox, { headers: { 'sec-fetch-site': 'same-origin' } })
  expect(own.status).toBe(403)
  expect((await fetch(site.sandbox, { method: 'POST' })).status).toBe(405)
  await site.close()
})

describe('the examples of the reference pages', () => {
  const server = useServer()

  /** Opens an example beside the product, which has another port than the example expects. */
  async function open(name: string, file: string) {
    cpSync(inProject('packages', name, 'examples'), folder, { recursive: true })
    const { host } = new URL(server.url)
    const site = await servePackageSite(folder, (page) => page.replaceAll('localhost:8787', host))
    return { site, page: await browser.open(`${site.origin}/${file}`) }
  }

  it('the clock shows the time of the server object, and calls its tool', async () => {
    const { site, page } = await open('mcp-view', 'view.html')
    const app = page.frameLocator('mcp-view iframe').frameLocator('iframe')
    await app.getByText('in UTC').waitFor()
    await app.getByRole('button').click()
    await app.getByText('in Asia/Tokyo').waitFor()
    await page.context().close()
    await site.close()
  })

  it('the notes are read without a question, and added with one', async () => {
    const { site, page } = await open('webmcp', 'tools.html')
    await expect.poll(() => toolsOf(page)).toEqual(['add_note', 'list_notes'])
    const adding = callTool(page, 'add_note', { text: 'tea', tag: 'shop' })
    expect((await question(page)).text).toContain('Add the note tea with the tag shop')
    await answer(page, 'Allow once')
    await adding
    expect(await callTool(page, 'list_notes', {})).toBe('["tea #shop"]')
    await page.context().close()
    await site.close()
  })

  it('types are served beside the scripts', async () => {
    for (const name of ['webmcp', 'webmcp-core', 'mcp-view', 'bridge']) {
      const served = await fetch(`${server.url}/${name}.d.ts`)
      expect(served.status, name).toBe(200)
      expect(served.headers.get('content-type')).toBe('text/typescript; charset=utf-8')
      expect(await served.text()).toContain('export {')
    }
    for (const name of ['bridge.mjs', 'mcp-view.mjs']) {
      const served = await fetch(`${server.url}/${name}`)
      expect(served.headers.get('access-control-allow-origin'), name).toBe('*')
    }
  })

  it('the sandbox page of the package is that of the product', async () => {
    const site = await servePackageSite(folder)
    const csp = JSON.stringify({ connectDomains: ['wss://a.example/x'], frameDomains: [1] })
    const own = await described(`${site.sandbox}?csp=${csp}`)
    expect(own).toEqual(await described(`${server.url}/sandbox?csp=${csp}`))
    expect(own.headers['connection-allowlist']).toContain('https://a.example')
    await site.close()
  })

  it('intents are rendered as in the table', async () => {
    const rows = readFileSync(inProject('docs/webmcp.md'), 'utf8').matchAll(
      /^\| `(.+?)` +\| `(\{.*\})` +\| (.+?) +\|$/gm,
    )
    const path = installed('webmcp/webmcp.mjs')
    const { renderIntent }: { renderIntent: Render } = await import(path)
    const cases = [...rows].map(([, template = '', args = '', sentence]) => {
      const { text } = renderIntent(template.replaceAll('\\|', '|'), JSON.parse(args))
      return [text, sentence]
    })
    expect(cases).toHaveLength(5)
    for (const [text, sentence] of cases) expect(text).toBe(sentence)
  })
})

/** The page and the headers that isolate an app; `frame-ancestors` differs. */
async function described(url: string) {
  const response = await fetch(url)
  const names = ['connection-allowlist', 'content-security-policy', 'content-type', 'vary']
  const more = ['cross-origin-resource-policy', 'origin-agent-cluster', 'referrer-policy']
  const rest = ['cache-control', 'x-content-type-options']
  const headers = [...names, ...more, ...rest].map((name) => {
    const value = response.headers.get(name)
    return [name, value?.replace(/; frame-ancestors .*/, '')] as const
  })
  return { text: await response.text(), headers: Object.fromEntries(headers) }
}

type Render = (template: string, args: unknown) => { readonly text: string }

async function toolsOf(page: Page): Promise<unknown> {
  const names: unknown = await page.evaluate(
    '(async () => (await document.modelContext.getTools()).map(({ name }) => name))()',
  )
  return names
}

async function callTool(page: Page, name: string, input: object): Promise<unknown> {
  const result: unknown = await page.evaluate(`(async () => {
    const tool = (await document.modelContext.getTools()).find((one) => one.name === '${name}')
    return document.modelContext.executeTool(tool, ${JSON.stringify(input)})
  })()`)
  return result
}
