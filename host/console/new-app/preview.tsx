/**
 * The preview of an app: our own page of templates with the settings of the app, in `<mcp-view>`, where it
 * runs in the sandbox like any app. It asks for no network and no permission, and it only reads.
 *
 * @module
 */

import { useEffect, useRef, useState } from 'preact/hooks'
import '../../mcp-view.ts'
import type { Connection } from '../../mcp/connection.ts'
import { McpView } from '../../view/element.ts'
import type { CallToolResult } from '../../view/types.ts'
import { openConnection, revision } from '../connect/connection.ts'
import { describeError } from '../ui/errors.ts'
import { findData } from './preview-data.ts'
import { createAppQuestions } from '../questions/app-questions.ts'
import { restrictToApp } from '../apps/app-requests.ts'
import { callAsApp } from '../tools/calls.ts'
import { createPreviewServer, type PreviewSource } from './preview-server.ts'
import type { Shown } from './use-preview.ts'

/** Shows an app that is not written yet. */
export function Preview({ shown }: { readonly shown: Shown }) {
  const open = openConnection()
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<McpView | null>(null)
  const source = useRef<PreviewSource>(sourceOf(open, shown))
  source.current = sourceOf(open, shown)
  const last = useRef<{ readonly key: string; readonly result: CallToolResult } | null>(null)
  const [state, setState] = useState('idle')

  useEffect(() => {
    if (!place.current) return
    const element = new McpView()
    element.server = serverOf(open, () => source.current)
    element.displayModes = ['inline']
    element.addEventListener('mcp-state', () => setState(element.state))
    element.toolInput = {}
    place.current.append(element)
    view.current = element
    return () => void element.close().finally(() => element.remove())
  }, [open])

  useEffect(() => {
    const element = view.current
    if (!element) return
    const controller = new AbortController()
    const { signal } = controller
    const { page, title, name } = shown
    const key = JSON.stringify([shown.data, shown.samples, revision.value])
    const known = last.current?.key === key ? last.current.result : null
    if (known && element.html === page) return
    // The page and its data arrive together, so that it never shows the data of the settings before.
    void Promise.resolve(known ?? source.current.readData(signal)).then((result) => {
      if (signal.aborted) return
      // What could not be read is read again with the next edit.
      last.current = result.isError ? null : { key, result }
      element.tool = { name: `open_${name}`, title: title || name }
      element.toolResult = result
      element.resourceMeta = NOTHING_ALLOWED
      element.html = page
    })
    return () => controller.abort()
  }, [open, shown])

  return <div class="viewplace" data-testid="app-preview" data-state={state} ref={place} />
}

/** Whatever `meta` of the app asks for, a preview gets none of it. */
const NOTHING_ALLOWED = {
  csp: { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] },
  permissions: {},
  prefersBorder: false,
}

function serverOf(open: Connection, source: () => PreviewSource) {
  const questions = createAppQuestions()
  return createPreviewServer({
    open: restrictToApp(open),
    source,
    async call({ tool, args, meta, signal }) {
      // The page is our own, and what it reads was entered beside it.
      const app = { name: `Preview of ${source().title}`, questions, reads: null }
      const outcome = await callAsApp(open, tool, args, app, { meta, signal })
      return outcome.status === 'done' ? outcome.result.raw : null
    },
  })
}

function sourceOf(open: Connection, { name, title, data, samples }: Shown): PreviewSource {
  const readData = async (signal: AbortSignal): Promise<CallToolResult> => {
    try {
      const found = await findData(restrictToApp(open), { patterns: data, samples }, signal)
      const structuredContent = { app: name, ...found }
      return { content: [{ type: 'text', text: title }], structuredContent }
    } catch (error) {
      const { message } = describeError(error)
      return { isError: true, content: [{ type: 'text', text: message }] }
    }
  }
  return { name, title: title || name, readData }
}
