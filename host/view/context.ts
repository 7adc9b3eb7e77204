/**
 * The host context of an app: theme, style variables, language, device and available space.
 *
 * It is read from the page; only changed members are sent again.
 *
 * @module
 */

import type { JsonRecord } from '#core/json.ts'
import { STYLE_VARIABLES } from '#core/theme-variables.ts'
import { numberAttribute } from './dom.ts'
import { recordIn } from './json.ts'
import { MAX_HEIGHT, MIN_HEIGHT } from './limits.ts'
import type { ViewHost } from './types.ts'

/**
 * Builds `hostContext`: what the page set on the element takes precedence over what the element
 * measures.
 */
function buildContext(view: ViewHost, frame: HTMLElement): JsonRecord {
  const { tool, displayModes, displayMode, hostContext } = view
  const style = getComputedStyle(view)
  const own = recordIn(hostContext, 'styles')
  const variables = { ...variablesOf(style), ...recordIn(own, 'variables') }
  return {
    // MCP requires `inputSchema`; a tool without one gets a schema that accepts any object.
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
    // The frame itself is kept clear of notches.
    safeAreaInsets: { top: 0, right: 0, bottom: 0, left: 0 },
    ...hostContext,
    styles: { ...own, variables },
    displayMode,
    availableDisplayModes: displayModes,
    containerDimensions: dimensionsOf(view, frame),
  }
}

/** Returns a fixed height if the app must fill it, and a maximum if the app chooses its height. */
function dimensionsOf(
  view: ViewHost,
  { clientWidth: width, clientHeight: height }: HTMLElement,
): JsonRecord {
  const fixed = view.displayMode !== 'inline' || view.hasAttribute('height')
  return fixed
    ? { width, height }
    : { width, maxHeight: numberAttribute(view, 'max-height', MAX_HEIGHT) }
}

/**
 * Sets the frame's height in CSS pixels: the `height` attribute, else what the app asks for, within
 * limits.
 */
export function setHeight(view: ViewHost, { style }: HTMLElement, wanted: number): void {
  const max = numberAttribute(view, 'max-height', MAX_HEIGHT)
  const height = numberAttribute(view, 'height', Math.max(MIN_HEIGHT, Math.min(wanted, max)))
  style.height = `${Math.ceil(height)}px`
}

/** A page with one colour scheme decides; otherwise the user's preference does. */
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

/**
 * Creates a function that returns the host context: all of it first, then the members that changed
 * since the last call.
 */
export function trackContext(view: ViewHost, frame: HTMLElement): () => JsonRecord {
  let context: JsonRecord = {}
  return () => {
    const before = context
    context = buildContext(view, frame)
    return changedMembers(before, context)
  }
}

/** Returns the members of `after` whose JSON differs from that in `before`. */
export function changedMembers(before: JsonRecord, after: JsonRecord): JsonRecord {
  const differs = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(before[name])
  return Object.fromEntries(Object.entries(after).filter(differs))
}

/** Calls `act` on any change that may affect the host context, until the signal is aborted. */
export function watchPage(element: Element, act: () => void, signal: AbortSignal): void {
  matchMedia(DARK).addEventListener('change', act, { signal })
  const observer = new MutationObserver(act)
  for (const target of [document.documentElement, document.body, element])
    observer.observe(target, { attributeFilter: ['class', 'style', 'lang', 'data-theme'] })
  signal.addEventListener('abort', () => observer.disconnect())
}
