/** An upload with progress, which `fetch` cannot report. @module */

/**
 * Sends a POST with a body and reports progress.
 *
 * @param onProgress Receives bytes sent, and the total or null if unknown.
 * @param signal Stops the upload.
 * @returns The response, of any status; its headers are not kept.
 * @throws {TypeError} If the server cannot be reached.
 * @throws {DOMException} `AbortError` if the signal is aborted.
 */
export function upload(
  url: string,
  body: Blob,
  headers: Readonly<Record<string, string>>,
  onProgress: (sent: number, total: number | null) => void,
  signal?: AbortSignal,
): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  const request = new XMLHttpRequest()
  request.open('POST', url)
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
  const stop = () => request.abort()
  const failed = () => reject(new TypeError('Failed to fetch'))
  request.upload.onprogress = ({ loaded, total, lengthComputable }) =>
    onProgress(loaded, lengthComputable ? total : null)
  request.onload = () => resolve(new Response(request.responseText, { status: request.status }))
  request.onerror = failed
  request.onabort = () => reject(new DOMException('The upload was stopped', 'AbortError'))
  request.onloadend = () => signal?.removeEventListener('abort', stop)
  if (signal?.aborted) request.abort()
  signal?.addEventListener('abort', stop)
  if (signal?.aborted) reject(new DOMException('The upload was stopped', 'AbortError'))
  else request.send(body)
  return promise
}
