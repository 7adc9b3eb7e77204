/**
 * The tables of all error codes that are not a {@link Problem} with an entry of its own: codes of arguments,
 * of results, of the HTTP API, of JSON-RPC, and of the browser. `docs/errors.md` is generated from them, and
 * `test/error-codes.test.ts` finds a code of the source that no table has.
 *
 * @module
 */

/** What the documentation says of one code. */
export interface ErrorCode {
  /** The HTTP status, or several where it depends on the route. */
  readonly status?: string
  readonly meaning: string
  /** What the caller should do. */
  readonly advice: string
}

/** A table of codes. */
export type ErrorCodes = Readonly<Record<string, ErrorCode>>

/** Codes of tool arguments. `{FIELD}` is the name of the argument in capitals. */
export const ARGUMENT_CODES = {
  INVALID_ARGUMENTS: {
    meaning: 'The arguments are not an object, or one of them is unknown.',
    advice: 'Use the arguments of the input schema.',
  },
  'MISSING_{FIELD}': { meaning: 'A required argument is missing.', advice: 'Add it.' },
  'INVALID_{FIELD}': {
    meaning: 'An argument has the wrong type, or is outside its bounds; the message names them.',
    advice: 'Correct it.',
  },
  'EMPTY_{FIELD}': { meaning: 'A text or a list is empty.', advice: 'Give at least one.' },
  FIND_EMPTY: { meaning: 'The text of an edit is empty.', advice: 'Give the text to replace.' },
  FETCH_FAILED: {
    meaning:
      'A file could not be fetched: its host did not answer with it, or not in time, or the answer is beyond a limit.',
    advice: 'Try again, or upload the file, as with `transfer_link`.',
  },
  HOST_NOT_LISTED: {
    meaning: 'The host of a file, or one to which it redirects, is not in `import_hosts`.',
    advice: 'Ask the owner to list the host, or upload the file.',
  },
  INVALID_CONTENT: {
    meaning: '`content` and `content_base64` are both given.',
    advice: 'Leave one out.',
  },
  INVALID_CONTENT_BASE64: {
    meaning: '`content_base64` is not valid base64.',
    advice: 'Encode the bytes again.',
  },
  INVALID_CURSOR: {
    meaning: 'The cursor is not of this search, or `offset` is given beside it.',
    advice: 'Repeat the search without it.',
  },
  INVALID_GLOB: {
    meaning: 'A glob has a syntax error; the message says where.',
    advice: 'Correct it.',
  },
  INVALID_FILE: {
    meaning:
      '`download_url`, or the address of a redirect, is no https URL of a host name, or has a port, a user name or a password.',
    advice: 'Give another URL, or upload the file.',
  },
  INVALID_ID: {
    meaning:
      'An id for `fetch` is none of a result of `search`, or its text has no such part any more.',
    advice: 'Search again, and use the id as it is.',
  },
  INVALID_MODE: {
    meaning: '`mode` appends or prepends, and the content is base64.',
    advice: 'Leave `mode` out.',
  },
  INVALID_OFFSET: {
    meaning:
      '`offset` lies inside a character of a text, or is given to `read_file` without the encoding base64.',
    advice: 'Give 0, or the `next_offset` of the part before; for lines, `start_line`.',
  },
  INVALID_PAGE: {
    meaning: 'The file has no such page, or is no document.',
    advice: 'Give a page that it has, or leave `page` out.',
  },
  INVALID_PATTERN: {
    meaning: 'The regular expression has a syntax error, or RE2 does not support it.',
    advice: 'Correct it as the message says, or set `glob` in `find_files`.',
  },
  INVALID_POLICY: {
    meaning: 'The policy of a new link is invalid, or less strict than that of its creator.',
    advice: 'Correct it as the message says.',
  },
  INVALID_SCOPES: {
    meaning: 'A scope of a new link is malformed, or its creator does not have it.',
    advice: 'Use scopes that you have.',
  },
  INVALID_VERSION: {
    meaning: '`undo_change` has both `version` and `id`.',
    advice: 'Leave one out.',
  },
  METADATA_TOO_LARGE: {
    meaning: 'The configuration and policy of the call are too large for a link to inherit them.',
    advice: 'Shorten them.',
  },
  MISSING_CONTENT: {
    meaning: '`content` and `content_base64` are both missing.',
    advice: 'Give one of them.',
  },
  MISSING_REASON: {
    meaning: '`respond_to_review` has nothing to say: `reason` and `replies` are missing.',
    advice: 'Say in one sentence why the changes were made, or reply to a comment.',
  },
  MISSING_VERSION: {
    meaning: '`undo_change` has neither `version` nor `id`.',
    advice: 'Give one of them.',
  },
  TOO_DEEP: {
    meaning: 'The new link would be nested deeper than links can be.',
    advice: 'Create it with a session closer to the owner.',
  },
} satisfies ErrorCodes

/** Codes in the structured content of a result that is no error. */
export const RESULT_CODES = {
  DENIED_BY_PERSON: {
    meaning: 'The person at the console denied the call, so it never reached the tool.',
    advice: 'Do not repeat it; ask the person what to do instead.',
  },
  EMPTY_RANGE: {
    meaning: '`read_file`: the file has no lines in this range.',
    advice: 'Use a `start_line` up to `total`.',
  },
  TRUNCATED_LONG_LINES: {
    meaning: '`read_file`: a line is longer than one result shows, and was cut.',
    advice: 'Read its rest with the arguments in `cut_lines`.',
  },
} satisfies ErrorCodes

/** Codes of the HTTP API, in a body `{ code, message }`. */
export const HTTP_CODES = {
  BODY_BROKEN_OFF: {
    status: '400',
    meaning: 'The body is shorter or longer than `Content-Length`. Nothing was written.',
    advice: 'Send the file again.',
  },
  DESTINATION_ELSEWHERE: {
    status: '502',
    meaning:
      'WebDAV: `Destination` is on another server, or not below the address of the workspace.',
    advice: 'Copy within the workspace.',
  },
  DEVICES_FULL: {
    status: '409',
    meaning: 'As many devices get notifications as can.',
    advice: 'Remove one of them.',
  },
  FOLDER_MISSING: {
    status: '409',
    meaning: 'WebDAV: the folder above the path does not exist.',
    advice: 'Create it with MKCOL.',
  },
  FORBIDDEN: {
    status: '403',
    meaning:
      'The token, the link or the origin of the request does not allow it: a token is valid for MCP of one ' +
      'workspace, a link only while its access allows it, and a change needs the header of the console.',
    advice: 'Use the route that the message names, or ask for a new link.',
  },
  INSECURE: {
    status: '403',
    meaning: 'Credentials were sent over plain http.',
    advice: 'Use https.',
  },
  INTERNAL: {
    status: '500',
    meaning: 'A bug. The log of the operator has it.',
    advice: 'Report it with the time of the request.',
  },
  CHECKSUM_MISMATCH: {
    status: '400',
    meaning:
      'WebDAV: the body does not have the checksum that `OC-Checksum` names. Nothing was written.',
    advice: 'Send the file again.',
  },
  CHANGES_GONE: {
    status: '410',
    meaning:
      'Changes after the version `after` are no longer kept; `oldest` is the oldest version after which all are.',
    advice: 'List the folder with `recursive=true`, then go on from its `version`.',
  },
  INVALID_AFTER: {
    status: '400',
    meaning:
      '`after` is not a child of the listed folder, or not a version that the workspace has had.',
    advice: 'Use `next` of the previous page, or `version` of a listing.',
  },
  INVALID_CONFIG: {
    status: '400, 503',
    meaning:
      'The configuration is invalid; with 503 it is a variable of the deployment, such as `EDGEWISE_CONFIG`, or what another release stored in the workspace.',
    advice: 'Correct the field that the message names.',
  },
  INVALID_EXECUTABLE: {
    status: '400',
    meaning: '`X-Edgewise-Executable` is neither `true` nor `false`.',
    advice: 'Send one of them, or leave the header out.',
  },
  INVALID_HEADER: {
    status: '400',
    meaning:
      'WebDAV: a header such as `If`, `Destination` or `Depth` is invalid; the message names it.',
    advice: 'Correct it.',
  },
  INVALID_LENGTH: {
    status: '400',
    meaning: '`Content-Length` is not a number of bytes.',
    advice: 'Send the number of bytes.',
  },
  INVALID_QUERY: {
    status: '400',
    meaning:
      'A filter of the audit log, or a parameter of a listing, an export or the feed, is invalid.',
    advice: 'Correct the parameter that the message names.',
  },
  INVALID_WORKSPACE: {
    status: '404',
    meaning: 'The name in `/w/{workspace}` is not the name of a workspace.',
    advice: 'Use 1 to 63 characters of a-z, 0-9 and -.',
  },
  INVALID_XML: {
    status: '400',
    meaning:
      'WebDAV: the body is not the XML of the method, or is beyond its limits. A document type is not accepted.',
    advice: 'Correct it as the message says.',
  },
  LENGTH_REQUIRED: {
    status: '411',
    meaning: '`Content-Length` is missing.',
    advice: 'Send it; a chunked body has none.',
  },
  LINK_REQUIRED: {
    status: '401',
    meaning:
      'WebDAV: the password is not a session link that is valid, or not one to this workspace.',
    advice: 'Use the link, or its part behind `/s/`, as the password, with any user name.',
  },
  METHOD_NOT_ALLOWED: {
    status: '405',
    meaning: 'The route does not have this method.',
    advice: 'Use a method of the header `Allow`.',
  },
  INVALID_SIDE: {
    status: '400',
    meaning: 'The `side` of a file of a draft is neither `before` nor `after`.',
    advice: 'Send one of them.',
  },
  MISSING_PLACE: {
    status: '400',
    meaning: 'A comment names neither lines of a file nor a draft.',
    advice: 'Send `on` with the lines, or `draft`.',
  },
  MISSING_DIGEST: {
    status: '400',
    meaning: 'An approval of groups or changes does not name what was shown of them.',
    advice: 'Send `digest` of `GET /drafts/{id}` or of `GET /drafts/{id}/changes/{change}`.',
  },
  MISSING_BODY: { status: '400', meaning: 'The import has no body.', advice: 'Send an archive.' },
  NEWER_RELEASE: {
    status: '503',
    meaning: 'A newer release wrote this workspace. Nothing was changed.',
    advice: 'Deploy the newer release again.',
  },
  NO_NOTIFIER: {
    status: '503',
    meaning: 'The deployment has no binding `NOTIFIER`, so it cannot notify.',
    advice: 'Deploy it with the bindings and migrations of the `wrangler.toml` of this release.',
  },
  NOT_CONFIGURED: {
    status: '503',
    meaning: 'The deployment has no owner yet, so it serves nothing.',
    advice: 'Set `EDGEWISE_OWNER_SECRET` or `EDGEWISE_ACCESS`.',
  },
  NOT_FOUND: {
    status: '404',
    meaning: 'The route or the session does not exist.',
    advice: 'Check the address against [the routes](http.md).',
  },
  PAGE_LINKS_FULL: {
    status: '409',
    meaning: 'There are as many links to pages for people as a workspace can have.',
    advice: 'End one under Sessions, or with `DELETE /page-links/{id}`.',
  },
  PRECONDITION_FAILED: {
    status: '412',
    meaning: 'WebDAV: `If-Match`, `If-None-Match` or `If` does not hold. Nothing was changed.',
    advice: 'Read the file again, then repeat the change.',
  },
  WRONG_SECRET: {
    status: '403',
    meaning: 'The text is not the owner’s secret, which removing a passkey without one asks for.',
    advice: 'Type the secret that was set as `EDGEWISE_OWNER_SECRET`.',
  },
  SYSTEM_FILE: {
    status: '403',
    meaning:
      'WebDAV: a name such as `.DS_Store` or `._x` is for files that operating systems write for themselves, which are not kept.',
    advice: 'Use another name.',
  },
  TEST_TOO_SOON: {
    status: '429',
    meaning: 'The device was tested a moment ago.',
    advice: 'Try again after `Retry-After`.',
  },
  TOO_MANY_WAITING: {
    status: '429',
    meaning: 'As many requests of this principal wait for changes as can wait at the same time.',
    advice: 'Try again when one of them has been answered, or without `wait`.',
  },
  TOO_MANY_ATTEMPTS: {
    status: '429',
    meaning: 'A wrong secret was sent too often.',
    advice: 'Try again after `Retry-After`.',
  },
  TRUST_NEEDS_SESSION: {
    status: '409',
    meaning: 'Changes can pass for a time only for a live session that one client began.',
    advice: 'Approve the changes one by one.',
  },
  TRUST_TIME: {
    status: '409',
    meaning: 'The time until which changes are to pass is over, or too far away.',
    advice: 'Choose another time, as the message says.',
  },
  TRUST_FULL: {
    status: '409',
    meaning: 'As many trusts are in force as there can be.',
    advice: 'End another one.',
  },
  TRUST_CHANGED: {
    status: '409',
    meaning: 'What is to pass is not what was shown, or was given already.',
    advice: 'Show it again with `POST /trust/preview`.',
  },
  NOT_FROM_CONSOLE: {
    status: '403',
    meaning: 'A decision of the owner did not come from a page of this server.',
    advice: 'Open the console and decide there.',
  },
  TOO_MANY_PAGE_FILES: {
    status: '422',
    meaning: 'A folder has more files than a link to a page keeps as they are.',
    advice: 'Share a folder with fewer files, or send `live: true`.',
  },
  UNREACHABLE: {
    status: '503',
    meaning: 'The workspace could not be reached. The request may have been carried out.',
    advice: 'Check its effect, then try again after `Retry-After`.',
  },
  UNSUPPORTED_ENCODING: {
    status: '415',
    meaning: 'The body has a `Content-Encoding`.',
    advice: 'Send the file without an encoding.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: '415',
    meaning: 'The body is for a route that takes JSON, and its `Content-Type` is another one.',
    advice: 'Send it with `Content-Type: application/json`.',
  },
} satisfies ErrorCodes

/** Codes of JSON-RPC errors. */
export const RPC_CODES = {
  '-32700': {
    status: '400',
    meaning: 'The body is not JSON, or ended early.',
    advice: 'Send one JSON-RPC message.',
  },
  '-32600': {
    status: '400, 413',
    meaning: 'The message is not a JSON-RPC request, nests too deep, or a name in it is too long.',
    advice: 'Correct the message.',
  },
  '-32601': {
    status: '200, 404',
    meaning: 'The method is unknown.',
    advice: 'Use a method of the capabilities.',
  },
  '-32042': {
    status: '200',
    meaning:
      'The user has to decide on the page that `error.data.elicitations` names (legacy era, level `confirm`).',
    advice: 'Open the page, and repeat the call after `notifications/elicitation/complete`.',
  },
  '-32602': {
    status: '200, 400, 404',
    meaning:
      'Invalid params: an unknown tool or resource, an invalid cursor, policy, configuration or `_meta` field.',
    advice: 'Correct the field that the message names.',
  },
  '-32603': {
    status: '200, 500',
    meaning: 'A bug. The log of the operator has it.',
    advice: 'Report it.',
  },
  '-32000': {
    status: '401, 403, 405, 406, 413, 429',
    meaning:
      'The request is refused: expired, revoked or unknown session link (401), missing scope of a token, unknown ' +
      'host or origin (403), wrong method (405), missing `Accept` (406), message too large (413), rate ' +
      'limit (429).',
    advice: 'With 429 wait for `Retry-After`; with 401 and 403 see `WWW-Authenticate`.',
  },
  '-32001': {
    status: '401, 404',
    meaning: 'With 401 the request needs a valid access token; with 404 the session has ended.',
    advice: 'Sign in; or send `initialize` again.',
  },
  '-32002': {
    status: '200',
    meaning: 'The resource does not exist (revisions before 2026-07-28; later ones use -32602).',
    advice: 'List the resources.',
  },
  '-32020': {
    status: '400',
    meaning: 'A header, such as `Mcp-Method` or `Mcp-Name`, does not match the body.',
    advice: 'Send the same values in both.',
  },
  '-32022': {
    status: '400',
    meaning: 'The protocol version is not supported; `data.supported` lists those that are.',
    advice: 'Use one of them.',
  },
  '-32050': {
    status: '200',
    meaning: 'The tool has no preview.',
    advice: 'Call it without `_meta.preview`.',
  },
} satisfies ErrorCodes

/** Codes of the event `mcp-error` of `<mcp-view>`. */
export const VIEW_CODES = {
  APP_DOES_NOT_START: {
    meaning: 'The app did not finish its handshake in time.',
    advice: 'Call `reload()`; check the console of the app.',
  },
  APP_DOES_NOT_STAY: {
    meaning: 'The app stopped several times and was not started again.',
    advice: 'Call `reload()`.',
  },
  INVALID_RESOURCE: {
    meaning: 'The resource is not an HTML page of an MCP App, or it is too large.',
    advice: 'Correct the server; the message says what is wrong.',
  },
  MALFORMED_MESSAGE: {
    meaning: 'The app sent a message that is not JSON-RPC. The app keeps running.',
    advice: 'Correct the app.',
  },
  NO_SANDBOX: {
    meaning: 'The element has no `sandbox` URL.',
    advice: 'Set it to a sandbox page of another origin.',
  },
  NO_SERVER: {
    meaning: 'The element has a resource URI and no server to read it from.',
    advice: 'Set the property `server`.',
  },
  READ_FAILED: {
    meaning: 'The server did not return the resource.',
    advice: 'See the message; call `reload()`.',
  },
  SANDBOX_NOT_APART: {
    meaning: 'The sandbox page has the origin of this page and would not isolate the app.',
    advice: 'Serve the sandbox from another origin.',
  },
  TOO_MANY_MESSAGES: {
    meaning: 'The app exceeded the rate limit of messages and was closed.',
    advice: 'Correct the app; call `reload()`.',
  },
} satisfies ErrorCodes

/** Names of the exceptions of `document.modelContext`, as in the WebMCP specification. */
export const POLYFILL_NAMES = {
  InvalidStateError: {
    meaning:
      'The document is not active, a tool of the same name is registered, or the form is not valid.',
    advice: 'Register each name once, in a document that is shown.',
  },
  NotAllowedError: {
    meaning: 'The permissions policy does not allow `tools`, or a person denied the call.',
    advice: 'Allow `tools` for the frame; do not repeat a denied call.',
  },
  NotSupportedError: {
    meaning: 'The page has no model context, or the origin of the tool is not secure.',
    advice: 'Load the polyfill; use https.',
  },
  SecurityError: {
    meaning: 'An origin that a tool is exposed to is not secure.',
    advice: 'Use https origins.',
  },
  TypeError: {
    meaning: 'An argument has the wrong type, or an input does not fit the form.',
    advice: 'Correct the argument that the message names.',
  },
  UnknownError: {
    meaning: 'The tool failed.',
    advice: 'See the message of the tool.',
  },
} satisfies ErrorCodes
