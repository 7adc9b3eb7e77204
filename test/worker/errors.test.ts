/**
 * The sentence of every problem. Every other test asserts codes and facts, so that a sentence can be improved in
 * its table, here, and nowhere else.
 */

import { expect, it } from 'vitest'
import { findDialect } from '../support/house/words.ts'
import { codeOf, sentence, type Problem } from '#worker/errors/problem.ts'
import { PROBLEM_DOCS } from '#worker/errors/problem-docs.ts'

const problems = Object.values(PROBLEM_DOCS).flatMap(({ examples }): readonly Problem[] => examples)

/** As in `docs/errors.md`. */
it('each problem has its message', () => {
  const sentences = problems.map((problem) => `${codeOf(problem)}: ${sentence(problem)}`)
  expect(sentences).toMatchInlineSnapshot(`
    [
      "INVALID_PATH: Cannot use "a\\tb" as a path: it holds a control character. Use a path such as /docs/plan.md, or one relative to the default root.",
      "INVALID_PATH: Cannot use "\\"/docs/plan.md\\"" as a path: it is not written as a path. Send /docs/plan.md instead.",
      "PATH_OUTSIDE_ROOT: Cannot use /other/a.md: it is outside the accessible folders (/docs). Use a path inside them, or ask the user to grant this call.",
      "PATH_OUTSIDE_ROOT: Cannot use /other/a.md: it is outside the accessible folders (/docs). Required: read:file:/other. The owner can allow it; draft_status tells the decision.",
      "INSUFFICIENT_SCOPE: Insufficient scope. Required: write:file:/docs/plan.md. Ask the user for access with these scopes.",
      "INSUFFICIENT_SCOPE: Insufficient scope. Required: write:file:/docs/plan.md. The owner can allow it; draft_status tells the decision.",
      "BINARY_FILE: Cannot use /logo.ico as text: it is binary (image/x-icon, 4286 bytes). Read it with encoding base64, or as the resource file:///logo.ico.",
      "BINARY_FILE: Cannot use /logo.gif as text: it is binary (application/octet-stream, 6 bytes), and not image/gif as its name says. Read it with encoding base64, or as the resource file:///logo.gif.",
      "DOCUMENT_READ_ONLY: Cannot edit /report.pdf: it is a document (application/pdf), and its text is extracted. Nothing was changed. Write what is new to a text file beside it, or replace the document with write_file and content_base64.",
      "DOCUMENT_ENCRYPTED: Cannot read the text of /report.pdf: it needs a password. Ask the user for a copy without a password. Its bytes are read with encoding base64, or as the resource file:///report.pdf.",
      "DOCUMENT_SCANNED: Cannot read the text of /report.pdf: its pages are pictures without text. Ask the user for a copy with recognized text. Its bytes are read with encoding base64, or as the resource file:///report.pdf.",
      "DOCUMENT_BROKEN: Cannot read the text of /report.pdf: it is damaged. Ask the user to save it again. Its bytes are read with encoding base64, or as the resource file:///report.pdf.",
      "DOCUMENT_TOO_LARGE: Cannot read the text of /report.pdf: it has more than 5000 pages. Ask the user to split it. Its bytes are read with encoding base64, or as the resource file:///report.pdf.",
      "FILE_TOO_LARGE: Cannot load /docs/plan.md: it has 9000000 bytes, and the limit is 8388608 bytes. Read parts of it with encoding base64, or get it with transfer_link.",
      "VERSION_CONFLICT: Cannot change /docs/plan.md: it is at version 5, and if_version is 3. Nothing was changed. Read it again, then repeat the change.",
      "VERSION_CONFLICT: Cannot create /docs/plan.md: it exists already, at version 5, and if_version is 0. Nothing was changed. Choose another path, or read it and change it with if_version 5.",
      "VERSION_CONFLICT: Cannot change /docs/plan.md: it does not exist, and if_version is 3. Nothing was changed. Find out whether it was moved or deleted.",
      "VERSION_CONFLICT: Cannot change /docs/plan.md: another call changed it at the same time. Nothing was changed. Read it again, then repeat the change.",
      "FIND_NOT_FOUND: Cannot make edit 1: "ship on monday" does not occur in the file. Nothing was changed. Copy the text exactly. Nearest lines:
    3: Ship on Monday.",
      "FIND_NOT_FOUND: Cannot make edit 2: "on Monday" was replaced by an earlier edit of this call. Nothing was changed. Join the edits of the same text into one, or find the text that the earlier edit writes.",
      "FIND_NOT_FOUND: Cannot make edit 1: "on Monday" does not occur in the file. Nothing was changed. It differs only where it cannot be seen: line 3, column 3: U+00A0 in the file, U+0020 in find. Send this as find, in JSON: "on\\u00a0Monday"",
      "FIND_NOT_UNIQUE: Cannot make edit 1: "Monday" occurs 2 times, on lines 3, 8. Nothing was changed. Add neighbouring lines to find until it occurs once.",
      "FIND_NOT_UNIQUE: Cannot make edit 2: "Monday" occurs 2 times, on lines 3, 8. Nothing was changed. Earlier edits of this call write it too, and are made first. Make this edit before them, or add neighbouring lines to find until it occurs once.",
      "DAMAGED_LINE: Cannot make edit 1: line 3 has bytes that are not valid UTF-8 or a NUL, shown as U+FFFD. Nothing was changed. Edit other lines, or read the file with encoding base64, and write all of it: with content_base64 to keep its encoding, or with content as UTF-8.",
      "MOVE_ROOT_DENIED: Cannot move this folder: it is a root. Use a path inside it.",
      "DELETE_ROOT_DENIED: Cannot delete this folder: it is a root. Use a path inside it.",
      "INVALID_TO: Cannot place /docs at /docs/old: a folder cannot contain itself. Choose a target outside of /docs.",
      "OVER_BUDGET: Cannot finish the search: it takes more than 20 seconds. Narrow it with root or glob, or use a simpler pattern.",
      "PATH_BLOCKED: Cannot use /docs/plan.md: access is denied. Use another path.",
      "PATH_IMMUTABLE: Cannot change /docs/plan.md: it is immutable. Write to another path.",
      "READ_ONLY: Cannot change files: this access is read-only. Nothing was changed. Ask the user for write access.",
      "ACCESS_CHANGED: Cannot finish this call: the configuration or the session changed while it ran. Nothing was changed. Repeat the call.",
      "PREVIEW_STALE: Cannot apply the preview "p1": it is out of date or unknown. Nothing was changed. Preview the call again.",
      "CHANGE_NOT_FOUND: Cannot undo "version 9": history does not have this change. Use the version that the result of the change named, or one of list_changes.",
      "CHANGE_SUPERSEDED: Cannot undo "c1": it wrote no file. A change that was approved with it replaced it, or it left the files as they were. Undo the whole approval "a1" instead.",
      "CHANGED_SINCE: Cannot undo "version 4": /docs/plan.md was changed later. Nothing was changed. Edit the file and keep the later change, or undo that first; list_changes has its version.",
      "VERSION_NOT_FOUND: Cannot restore /docs/plan.md to version 2: history does not have it. Nothing was changed. Choose one of file_history.",
      "CHECKPOINT_NOT_FOUND: Cannot find the checkpoint "Before the rewrite": it does not exist. Use the id or the name of one of list_checkpoints.",
      "CHECKPOINTS_FULL: Cannot create a checkpoint: there are 100 already. Ask the user to delete one.",
      "TOO_MANY_PATHS: Cannot restore: more than 10000 paths differ from the checkpoint. Nothing was changed. Restore one folder after another.",
      "LEASED: Cannot lease /docs/plan.md: "helper" has leased it until 2026-01-01T00:00:00.000Z. Work elsewhere meanwhile, or ask the user to end the lease.",
      "LEASED: Cannot change /docs/plan.md: another caller has leased it, or something in it. Work elsewhere meanwhile, or ask the user to end the lease.",
      "LEASES_FULL: Cannot lease more paths: there are 20 leases at most for one principal. Release some with ttl_seconds 0, or lease a folder in place of its files.",
      "LEASES_FULL: Cannot lease more paths: there are 200 leases in the workspace already. Release some with ttl_seconds 0, or lease a folder in place of its files.",
      "LEASE_TOO_WIDE: Cannot lease /docs: not everything in it may be changed with your access. Lease the files or folders that you change.",
      "FILE_NOT_FOUND: Cannot find /docs/plan.md: it does not exist. Check the path, for example with find_files.",
      "FILE_NOT_FOUND: Cannot find /docs/plan.md:12: it does not exist. Did you mean /docs/plan.md?",
      "TARGET_EXISTS: Cannot create /docs/plan.md: it exists already. Choose another path.",
      "TARGET_EXISTS: Cannot create /docs: it exists already. It is a folder. To place something in it, use /docs/plan.md as the target.",
      "IS_A_FOLDER: Cannot use /docs as a file: it is a folder. Use the path of a file, for example one of list_folder.",
      "NOT_A_FOLDER: Cannot use /docs/plan.md as a folder: it is a file. Use the path of a folder, such as /docs.",
      "FILE_TOO_LARGE: Cannot store this file: it has more than 104857600 bytes. Nothing was written. Split it into smaller files.",
      "STORAGE_FULL: Cannot write: the storage is full. Nothing was written. Make room where the data is stored, then try again.",
      "WORKSPACE_FULL: Cannot write: the workspace is limited to 1000000 files. Nothing was written. Ask the user to make room.",
      "DRAFT_CONFLICT: Cannot apply this change: its files were changed since, and it cannot be planned again. Turn it down, and ask the agent to repeat it.",
      "DRAFT_CONFLICT: Cannot apply this change: its content was deleted. Turn it down, and ask the agent to repeat it.",
      "DRAFT_FULL: Cannot propose this change: a draft is limited to 10000 changes. Nothing was changed. Wait until the user has decided on what waits, or propose a smaller change.",
      "DRAFT_FULL: Cannot propose this change: 50 drafts wait for approval already. Nothing was changed. Wait until the user has decided on what waits, or propose a smaller change.",
      "DRAFT_FULL: Cannot propose this change: it names too many paths (limit: 1000000 bytes). Nothing was changed. Wait until the user has decided on what waits, or propose a smaller change.",
      "DRAFT_NOT_FOUND: Cannot find the draft "1a2b": it was decided or has expired. List the drafts again.",
      "DRAFT_NOT_FOUND: Cannot store the reason: no change of yours waits for approval. Make the change first. If its result says that it waits, call this again.",
      "DRAFT_CHANGED: Cannot continue with the draft "1a2b": it, or what it changes, has changed since it was shown. Nothing was changed. Look at it again.",
      "COMMENT_NOT_FOUND: Cannot find the comment "1a2b": it does not exist. Nothing was stored. Use the id of one of edgewise://comments.",
      "LINES_NOT_FOUND: Cannot comment on the lines 8 to 9 of /docs/plan.md: it does not have them. Look at the file again.",
      "COMMENTS_FULL: Cannot comment: the thread has 100 comments already. Delete some first.",
      "DRAFT_CONFLICT: Cannot approve this of the draft "1a2b": 1 of the changes do not fit the workspace any more. Nothing was changed. Approve the others, and turn these down.",
      "DRAFT_NOT_SEPARABLE: Cannot decide on the change "c2" without "c1": they concern the same files. Nothing was changed. Select both.",
      "DRAFT_ONE_AT_A_TIME: Cannot approve the change "c1" with others: it has to be confirmed on its own. Nothing was changed. Approve it without the others.",
      "DRAFT_UNSEEN: Cannot approve this of the draft "1a2b": the content of "/docs/plan.md" cannot be shown as text. Nothing was changed. Open the files, and name their paths in \`unseen\`.",
      "NOT_AMENDABLE: Cannot amend "/docs/plan.md": it is not among the files of what is approved. Nothing was changed. Approve without it, or turn its changes down with a note.",
      "INVALID_AMENDMENT: Cannot amend "/docs/plan.md" by the edit 2: it begins before the end of the edit before it. Nothing was changed. Load the proposed file again, and send edits of it.",
      "PASSKEY_REQUIRED: Cannot decide: this needs a passkey. Nothing was changed. Decide in the console, and confirm it with a passkey.",
      "PASSKEY_REFUSED: Cannot decide: the passkey was not accepted for this. Nothing was changed. Decide again.",
      "PASSKEY_ELSEWHERE: Cannot decide here: the passkeys are for "files.example.com". Nothing was changed. Open the console at that address.",
      "PASSKEY_NOT_FOUND: Cannot find the passkey "1a2b": it was removed. List the passkeys again.",
      "TOO_MANY_PASSKEYS: Cannot register a passkey: there are 20 already. Remove one first.",
      "REQUEST_NOT_FOUND: Cannot decide on the access request "1a2b": it does not wait. List the requests again.",
      "APP_NOT_FOUND: Cannot decide on the app "board": there is none with this name. An app is a folder below /.apps with app.json or index.html, or one of mcp-bash with ui.meta.json.",
      "APP_CHANGED: Cannot show or decide on the app "board": its files have changed. Look at it again.",
      "APP_INVALID: Cannot approve the app "board": it has problems. Its entry in /apps lists them.",
      "APP_UNSEEN: Cannot approve the app "board": the content of "/docs/plan.md" cannot be shown as text. Nothing was changed. Open the files, and name their paths in \`unseen\`.",
      "SKILL_NOT_FOUND: Cannot decide on the skill "git-workflow": there is none with this name. A skill is a folder below /.skills with SKILL.md.",
      "SKILL_CHANGED: Cannot show or decide on the skill "git-workflow": its files have changed. Look at it again.",
      "SKILL_INVALID: Cannot approve the skill "git-workflow": it has problems. Its entry in /skills lists them.",
      "SKILL_UNSEEN: Cannot approve the skill "git-workflow": the content of "/docs/plan.md" cannot be shown as text. Nothing was changed. Open the files, and name their paths in \`unseen\`.",
      "REQUEST_NOT_ALLOWABLE: Cannot allow this access: its session is over. Nothing was changed.",
      "REQUEST_NOT_ALLOWABLE: Cannot allow this access: its caller has no session, so allow the call or change the rules. Nothing was changed.",
      "REQUEST_NOT_ALLOWABLE: Cannot allow this access: its session was allowed too many scopes, so change the rules. Nothing was changed.",
      "REQUEST_NOT_ALLOWABLE: Cannot allow this access: the rules lack other entries than were shown, or would not be enough. Nothing was changed.",
      "TURNED_DOWN: Cannot apply this change: the user turned it down. Nothing was changed. Note of the user: "Keep the title."",
      "TURNED_DOWN: Cannot apply this change: the time to decide is over. Nothing was changed. Ask the user what to do instead.",
    ]
  `)
})

it.each(problems.map((problem) => [codeOf(problem), problem] as const))(
  '%s names what failed, why, and what to do',
  (_, problem) => {
    const text = sentence(problem)
    expect(text).toMatch(/^(Cannot \S.*: |Insufficient scope\. Required: ).*\. [A-Z]/s)
    expect(findDialect(text)).toEqual([])
    expect(text).not.toMatch(/\bis no\b/)
  },
)

it('a message has a maximum length, whatever a caller sends', () => {
  const long = 'x'.repeat(100_000)
  const path = '/a' as Extract<Problem, { reason: 'not_found' }>['path']
  const scopes = Array.from({ length: 1_000 }, (_, at) => `read:file:/${at}`)
  const large: readonly Problem[] = [
    { reason: 'bad_path', text: long, detail: 'it is too long' },
    { reason: 'find_not_found', find: long, edit: 1, nearest: [] },
    { reason: 'preview_stale', id: long },
    { reason: 'insufficient_scope', path, scopes },
    { reason: 'outside_root', path, roots: scopes, requested: null, lacking: scopes },
  ]
  for (const problem of large) expect(sentence(problem).length).toBeLessThan(1_500)
})
