/**
 * The open comments on applied files, on the page of the files, and a form that names lines.
 * `test/host/console/comments.test.tsx` has the cases.
 *
 * @module
 */

import { useState } from 'preact/hooks'
import { revision } from '../connect/connection.ts'
import { formatCount } from '../ui/format.ts'
import { Path } from '../ui/path.tsx'
import { Fault } from '../ui/parts.tsx'
import { CommentForm } from './comment-form.tsx'
import { Threads } from './threads.tsx'
import { useComments, type Comments } from './use-comments.ts'

/** Shows the threads of each file, and the form. `path` is the file that is opened, if one is. */
export function FileComments({ path = '' }: { readonly path?: string | undefined }) {
  const comments = useComments(null, revision.value)
  const { threads, left, error, reload } = comments
  const onFiles = threads.filter(({ draft }) => draft === null)
  const paths = [...new Set(onFiles.flatMap((thread) => thread.path ?? []))]
  return (
    <details class="filecomments">
      <summary>
        Comments ({onFiles.length}
        {left > 0 && ' or more'})
      </summary>
      {error !== null && <Fault what="Cannot read the comments" error={error} retry={reload} />}
      {paths.map((one) => (
        <section key={one}>
          <h2>
            <Path text={one} />
          </h2>
          <Threads threads={onFiles.filter((thread) => thread.path === one)} comments={comments} />
        </section>
      ))}
      {left > 0 && <p class="faint small">{formatCount(left, 'earlier comment')} not shown.</p>}
      <LinesForm key={path} path={path} comments={comments} />
    </details>
  )
}

/** A form that names the lines of a file. */
function LinesForm({ path, comments }: { readonly path: string; readonly comments: Comments }) {
  const [file, setFile] = useState(path)
  const [lines, setLines] = useState({ first: 1, last: 1 })
  const send = (text: string) =>
    comments.add(text, {
      path: file,
      side: 'after',
      ...lines,
      last: Math.max(lines.first, lines.last),
    })
  return (
    <>
      <div class="row">
        <label class="field">
          <span class="label">File</span>
          <input value={file} onInput={({ currentTarget }) => setFile(currentTarget.value)} />
        </label>
        {(['first', 'last'] as const).map((end) => (
          <label key={end} class="field">
            <span class="label">{end === 'first' ? 'From line' : 'To line'}</span>
            <input
              type="number"
              min={1}
              value={lines[end]}
              onInput={({ currentTarget }) =>
                setLines({
                  ...lines,
                  [end]: Math.max(1, Math.trunc(currentTarget.valueAsNumber) || 1),
                })
              }
            />
          </label>
        ))}
      </div>
      <CommentForm label="Comment on these lines" onSend={send} />
    </>
  )
}
