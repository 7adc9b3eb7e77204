/**
 * What an app learns of the page around it: theme, variables, language, device, and how much room it has.
 * All of it is read from the page, and what changes is told again, but nothing that stayed the same.
 *
 * @module
 */

import type { JsonRecord } from '#core/json.ts'
import type { McpView } from './element.ts'
import { numberOf } from './events.ts'
import { recordIn } from './json.ts'
import { MAX_HEIGHT, MIN_HEIGHT } from './limits.ts'
import { STYLE_VARIABLES } from './variables.ts'

/** `hostContext`: what the page gave, laid over what the element sees. */
export function contextOf(view: McpView, frame: HTMLElement): JsonRecord {
  const { tool, displayModes, displayMode, hostContext } = view
  const style = getComputedStyle(view)
  const own = recordIn(hostContext, 'styles')
  const variables = { ...variablesOf(style), ...recordIn(own, 'variables') }
  return {
    // Clients read a tool by its schema, so one without gets one that says nothing.
    ...(tool && { toolInfo: { tool: { inputSchema: { type: 'object' }, ...tool } } }),
    theme: themeOf(style),
    locale: view.closest<HTMLElement>('[lang]')?.lang || navigator.language,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    userAgent: 'edgewise',
    platform: 'web',
    deviceCapabilities: {
      touch: matches('(any-pointer: coarse)'),
      hover: matches('(any-hover: hover)'),
    },
    // The frame stays clear of notches by itself.
    safeAreaInsets: { top: 0, right: 0, bottom: 0, left: 0 },
    ...hostContext,
    styles: { ...own, variables },
    displayMode,
    availableDisplayModes: displayModes,
    containerDimensions: dimensionsOf(view, frame),
  }
}

/** A number where the app has to fill, a limit where it decides. */
function dimensionsOf(
  view: McpView,
  { clientWidth: width, clientHeight: height }: HTMLElement,
): JsonRecord {
  const fixed = view.displayMode !== 'inline' || view.hasAttribute('height')
  return fixed ? { width, height } : { width, maxHeight: numberOf(view, 'max-height', MAX_HEIGHT) }
}

/** Gives the frame the height that the page has set, else the one that its app would like. */
export function setHeight(view: McpView, { style }: HTMLElement, wanted: number): void {
  const most = numberOf(view, 'max-height', MAX_HEIGHT)
  const height = numberOf(view, 'height', Math.max(MIN_HEIGHT, Math.min(wanted, most)))
  style.height = `${Math.ceil(height)}px`
}

/** A page that knows one scheme has that one; else it is the reader's choice. */
function themeOf({ colorScheme }: CSSStyleDeclaration): 'light' | 'dark' {
  const dark = colorScheme.includes('dark')
  const chosen = dark === colorScheme.includes('light') ? matches(DARK) : dark
  return chosen ? 'dark' : 'light'
}

function variablesOf(style: CSSStyleDeclaration): JsonRecord {
  const all = STYLE_VARIABLES.map((name) => [name, style.getPropertyValue(name).trim()] as const)
  return Object.fromEntries(all.filter(([, value]) => value))
}

const DARK = '(prefers-color-scheme: dark)'
const matches = (query: string) => matchMedia(query).matches

/** The members of `after` that are not as they were. */
export function changed(before: JsonRecord, after: JsonRecord): JsonRecord {
  const differs = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(before[name])
  return Object.fromEntries(Object.entries(after).filter(differs))
}

/** Calls back when the page may look different, until the signal. */
export function watchSurroundings(element: Element, act: () => void, signal: AbortSignal): void {
  matchMedia(DARK).addEventListener('change', act, { signal })
  const observer = new MutationObserver(act)
  for (const target of [document.documentElement, document.body, element])
    observer.observe(target, { attributeFilter: ['class', 'style', 'lang', 'data-theme'] })
  signal.addEventListener('abort', () => observer.disconnect())
}
