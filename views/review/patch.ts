/** A change as a patch: its text, the name of its file, and the ways to hand it to the person. @module */

import { printUnified } from '#core/diff/unified.ts'
import type { Bridge } from '../bridge.ts'
import type { Change } from './change.ts'

const READ_MS = 5_000

/** As the server prints it, with paths from its default root; else as we do. */
export async function patchOf(bridge: Bridge, change: Change): Promise<string> {
  const own = () => printUnified(change.files)
  if (bridge.host.capabilities.serverResources === undefined) return own()
  const uri = `${change.review}.diff`
  return bridge.readResource(uri, { timeoutMs: READ_MS }).then(
    ({ contents }) => contents[0]?.text ?? own(),
    () => own(),
  )
}

/** Answers whether the host took it. */
export async function downloadPatch(bridge: Bridge, change: Change): Promise<boolean> {
  const text = await patchOf(bridge, change)
  const path = change.files[0]?.to ?? change.files[0]?.from ?? ''
  const name = path.slice(path.lastIndexOf('/') + 1) || change.tool
  const uri = `file:///${encodeURIComponent(name)}.diff`
  const resource = { uri, mimeType: 'text/x-diff', text }
  return bridge.downloadFile([{ type: 'resource', resource }])
}

/** Answers whether it worked: a frame may not be allowed to write to the clipboard. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copySelection(text)
  }
}

/** The old way, which needs no permission and only that the person has just done something. */
function copySelection(text: string): boolean {
  const copy = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
  }
  document.addEventListener('copy', copy)
  const copied = document.execCommand('copy')
  document.removeEventListener('copy', copy)
  return copied
}
