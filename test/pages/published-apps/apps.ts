/**
 * The app servers of ext-apps, and what each does in a host without the Internet.
 *
 * @module
 */

import { temporaryDocument } from '../../support/pages/pdf.ts'

/** An app server, and what is expected of it. */
export interface PublishedApp {
  /** Its package, without `@modelcontextprotocol/server-`. */
  readonly name: string
  readonly tool: string
  /** Text that it shows once it has drawn. */
  readonly shows?: RegExp
  /** The least number of colours of its drawing. */
  readonly colours?: number
  /** What it asks its server: by itself, or once a button is pressed. */
  readonly asks?: { readonly request: string; readonly press?: string }
  /** What it cannot do here, and why. */
  readonly lacks?: string
  /** It fails before it has connected to its host, so that neither theme nor end reach it. */
  readonly fails?: true
  /** Creates a file to show: its path, which the server is given, and the arguments of the tool. */
  readonly file?: () => { readonly path: string; readonly args: Record<string, unknown> }
}

const TIME: Omit<PublishedApp, 'name'> = {
  tool: 'get-time',
  shows: /\d{4}-\d\d-\d\dT/,
  asks: { request: 'tools/call get-time', press: 'Get Server Time' },
}

/** All 19, by name. */
export const APPS: readonly PublishedApp[] = [
  { name: 'basic-preact', ...TIME },
  { name: 'basic-react', ...TIME },
  { name: 'basic-solid', ...TIME },
  { name: 'basic-svelte', ...TIME },
  { name: 'basic-vanillajs', ...TIME },
  {
    name: 'basic-vue',
    tool: 'get-time',
    shows: /\d{4}-\d\d-\d\dT/,
    lacks: 'calls of its server: it reads `window.parent` of another origin, in every host',
  },
  { name: 'budget-allocator', tool: 'get-budget-data', shows: /Marketing/ },
  {
    name: 'cohort-heatmap',
    tool: 'get-cohort-data',
    shows: /Cohort Retention Analysis/,
    asks: { request: 'tools/call get-cohort-data' },
  },
  {
    name: 'customer-segmentation',
    tool: 'get-customer-data',
    shows: /Customer Segmentation/,
    asks: { request: 'tools/call get-customer-data' },
  },
  {
    name: 'map',
    tool: 'show-map',
    shows: /Failed to load CesiumJS/,
    lacks: 'its map: CesiumJS and tiles come from the Internet',
    fails: true,
  },
  {
    name: 'pdf',
    tool: 'display_pdf',
    shows: /Setting up fake worker failed/,
    asks: { request: 'tools/call read_pdf_bytes' },
    lacks:
      'its pages: it runs scripts from `data:`, which MCP Apps does not allow; fonts from unpkg.com',
    file: temporaryDocument,
  },
  { name: 'scenario-modeler', tool: 'get-scenario-data', shows: /SaaS Scenario Modeler/ },
  { name: 'shadertoy', tool: 'render-shadertoy', colours: 1000 },
  {
    name: 'sheet-music',
    tool: 'play-sheet-music',
    shows: /Twinkle, Twinkle Little Star/,
    lacks: 'its sound, which comes from paulrosen.github.io',
  },
  {
    name: 'system-monitor',
    tool: 'get-system-info',
    shows: /Hostname/,
    asks: { request: 'tools/call poll-system-stats' },
  },
  {
    name: 'threejs',
    tool: 'show_threejs_scene',
    shows: /'unsafe-eval' is not an allowed source/,
    lacks: 'its scene: it evaluates text as code, which MCP Apps does not allow',
  },
  {
    name: 'transcript',
    tool: 'transcribe',
    shows: /Your speech will appear here/,
    lacks: 'recognition of speech, which is a service on the Internet',
  },
  {
    name: 'video-resource',
    tool: 'play_video',
    shows: /Error loading video/,
    asks: { request: 'resources/read videos://bunny-1mb' },
    lacks: 'its video, which its server reads from the Internet',
  },
  {
    name: 'wiki-explorer',
    tool: 'get-first-degree-links',
    lacks: 'its links, which its server reads from Wikipedia',
  },
]
