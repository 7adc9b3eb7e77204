/**
 * `app.json`: what an app is called, which page it shows, and what it needs. A superset of the `ui.meta.json` of
 * mcp-bash, which is read too.
 *
 * `test/worker/apps/manifest.test.ts` has the table of values and problems.
 *
 * @module
 */

import { findPatternFault, trimPattern } from '#core/apps/patterns.ts'
import {
  readTemplate,
  TEMPLATES,
  type SettingProblem,
  type TemplateName,
} from '#core/apps/templates.ts'
import { completeSource, readCsp } from '#core/csp.ts'
import { escapePointerStep, isDeeper, isRecord } from '#core/json.ts'
import { err, ok, type Result } from '#core/result.ts'
import * as z from 'zod/mini'
import { TOOLS } from '../tools/index.ts'
import {
  MAX_APP_ORIGINS,
  MAX_APP_PATTERNS,
  MAX_MANIFEST_DEPTH,
  MAX_MANIFEST_PROBLEMS,
  MAX_PROBLEM_LENGTH,
} from './limits.ts'

/** One problem of a manifest, with its place as a JSON Pointer (RFC 6901). */
export type ManifestProblem = SettingProblem

/** What an app asks for. Only {@link readManifest} makes one. */
export interface Manifest {
  readonly title: string
  readonly description: string
  /** The file of its page, below its folder. */
  readonly entrypoint: string
  /** The template that is shown if there is no such file. */
  readonly template: TemplateName | null
  /** Settings of the template. */
  readonly config: Readonly<Record<string, unknown>>
  readonly csp: Readonly<Record<CspList, readonly string[]>>
  readonly permissions: readonly Permission[]
  readonly prefersBorder: boolean
  /** The dedicated origin that it asks the host for, if any. */
  readonly domain: string | null
  /** The tool whose results it shows; null if it has a tool of its own. */
  readonly forTool: string | null
  /** Paths and patterns of the files that it shows, without a slash at either end. */
  readonly data: readonly string[]
  /** The same of the files that it may ask its host to change. */
  readonly write: readonly string[]
}

type CspList = 'connectDomains' | 'resourceDomains' | 'frameDomains' | 'baseUriDomains'
type Permission = (typeof PERMISSIONS)[number]

const PERMISSIONS = ['camera', 'microphone', 'geolocation', 'clipboardWrite'] as const

/** A list of origins. A host without a scheme is one of https, and in `connectDomains` also one of wss. */
const originsOf = (isForConnections: boolean) => {
  const complete = (origin: string) =>
    isOrigin(origin) ? [origin] : completeSource(origin, isForConnections)
  const given = z.array(z.string()).check(
    // The origins of a list that is too long are not looked at.
    z.maxLength(MAX_APP_ORIGINS, { abort: true }),
    z.superRefine((list, context) => {
      for (const [index, origin] of list.entries())
        if (complete(origin).length === 0)
          context.addIssue({ code: 'custom', path: [index], message: 'is not an https origin' })
    }),
  )
  const completed = z.transform((list: string[]) => list.flatMap(complete))
  return z.pipe(z._default(given, []), completed).check(z.describe('Origins, each with https://'))
}

const origins = originsOf(false)

/** An origin that a policy can have, so that an app is never approved with one that is dropped later. */
const isOrigin = (text: string) =>
  text.startsWith('https://') && readCsp({ connectDomains: [text] }).dropped.length === 0

const pattern = z.string().check(
  z.superRefine((text, context) => {
    const message = findPatternFault(text)
    if (message !== null) context.addIssue({ code: 'custom', message })
  }),
)

const patterns = z._default(z.array(pattern).check(z.maxLength(MAX_APP_PATTERNS)), [])

/** The tools whose results an app can show: a model calls them, and they change nothing. */
const READING = [...TOOLS.values()].flatMap(({ kind, appOnly, name }) =>
  kind === 'read' && !appOnly ? [name] : [],
)

const forTool = z
  .optional(
    z.enum(READING, {
      error: `is not one of the tools that only read: ${READING.join(', ')}. The view of a change is its difference`,
    }),
  )
  .check(z.describe('The tool whose results it shows; without it, the app has a tool of its own'))

const pageName = z.regex(
  /^[\w-][\w.-]*\.html?$/,
  'is not the name of an HTML file in the folder of the app',
)

const entrypoint = z
  ._default(z.string().check(pageName), 'index.html')
  .check(z.describe('The page of the app: an HTML file in its folder. It wins over a template'))

const Ui = z.strictObject({
  csp: z.prefault(
    z.strictObject({
      connectDomains: originsOf(true),
      resourceDomains: origins,
      frameDomains: origins,
      baseUriDomains: origins,
    }),
    {},
  ),
  permissions: z._default(
    z.partialRecord(z.enum(PERMISSIONS), z.union([z.boolean(), z.strictObject({})])),
    {},
  ),
  prefersBorder: z._default(z.boolean(), true),
  domain: z.optional(z.string().check(z.maxLength(200))),
  sandboxDomain: z
    .optional(z.string().check(z.maxLength(200)))
    .check(z.describe('An older name of domain')),
})

/** The schema of `app.json`. */
export const AppJson = z.strictObject({
  $schema: z.optional(z.string()),
  name: z.optional(z.string()).check(z.describe('The name of its folder')),
  title: z.optional(z.string().check(z.maxLength(100))),
  description: z._default(z.string().check(z.maxLength(500)), ''),
  template: z
    .optional(z.enum(TEMPLATES))
    .check(z.describe('What is shown if the folder has no page')),
  config: z
    ._default(z.record(z.string(), z.unknown()), {})
    .check(z.describe('Settings of the template')),
  entrypoint,
  for: forTool,
  meta: z.prefault(Ui, {}).check(z.describe('What the page asks the host for')),
  data: patterns.check(z.describe('Paths and patterns of the files that it shows')),
  write: patterns.check(z.describe('Paths and patterns of the files that it may change')),
})

/**
 * Parses the text of a manifest. `name` is that of its folder, and `tool` the one that its folder is of. The error has the
 * first problems.
 */
export function readManifest(
  text: string,
  name: string,
  tool: string | null = null,
): Result<Manifest, ManifestProblem[]> {
  const manifest = checkManifest(text, name, tool)
  return manifest.ok ? manifest : err(boundProblems(manifest.error))
}

/** Keeps the list of the owner readable, whatever an agent writes into `app.json`. */
const boundProblems = (problems: readonly ManifestProblem[]): ManifestProblem[] =>
  problems
    .slice(0, MAX_MANIFEST_PROBLEMS)
    .map(({ pointer, message }) => ({ pointer: cut(pointer), message: cut(message) }))

const cut = (text: string) =>
  text.length > MAX_PROBLEM_LENGTH ? `${text.slice(0, MAX_PROBLEM_LENGTH - 1)}…` : text

function checkManifest(
  text: string,
  name: string,
  tool: string | null,
): Result<Manifest, ManifestProblem[]> {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch (error) {
    const message = `is not JSON: ${error instanceof Error ? error.message : ''}`
    return err([{ pointer: '', message }])
  }
  // Deeper settings could be parsed here and still overflow the stack where they are written as JSON.
  if (isDeeper(document, MAX_MANIFEST_DEPTH))
    return err([{ pointer: '', message: `nests deeper than ${MAX_MANIFEST_DEPTH} levels` }])
  const read = AppJson.safeParse(
    isRecord(document) && tool !== null ? { for: tool, ...document } : document,
  )
  if (!read.success) return err(read.error.issues.flatMap(problemsOf))
  if (read.data.name !== undefined && read.data.name !== name)
    return err([{ pointer: '/name', message: `is not the name of the folder, ${name}` }])
  const { template, config, data } = read.data
  if (tool !== null && read.data.for !== tool)
    return err([{ pointer: '/for', message: `is not the tool of its folder, ${tool}` }])
  if (read.data.for !== undefined && data.length > 0)
    return err([{ pointer: '/data', message: RESULTS_ARE_DATA }])
  const settings = template === undefined ? ok(null) : readTemplate(template, config)
  return settings.ok ? ok(manifestOf(read.data, name)) : err([...settings.error])
}

const RESULTS_ARE_DATA = 'cannot be given with for: the app shows the results of that tool'

function manifestOf(given: z.output<typeof AppJson>, name: string): Manifest {
  const { title = name, description, template = null, config, meta, data, write } = given
  const { csp, permissions, prefersBorder, domain, sandboxDomain } = meta
  return {
    title,
    description,
    entrypoint: given.entrypoint,
    template,
    config,
    csp,
    prefersBorder,
    permissions: PERMISSIONS.filter((one) => (permissions[one] ?? false) !== false),
    domain: domain ?? sandboxDomain ?? null,
    forTool: given.for ?? null,
    data: data.map(trimPattern),
    write: write.map(trimPattern),
  }
}

/** The manifest of a folder with a page and without `app.json`. */
export const defaultManifest = (name: string): Manifest => manifestOf(AppJson.parse({}), name)

function problemsOf(issue: z.core.$ZodIssue): ManifestProblem[] {
  const pointer = pointerOf(issue.path)
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      pointer: pointerOf([...issue.path, key]),
      message: 'is not a known field',
    }))
  return [{ pointer, message: issue.message }]
}

const pointerOf = (path: readonly PropertyKey[]) =>
  path.map((key) => `/${escapePointerStep(String(key))}`).join('')
