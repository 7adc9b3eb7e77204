/**
 * Labels and sentences of the console by which tests find elements. A new wording changes one line here.
 *
 * @module
 */

export const WORDS = {
  agentName: 'Agent name',
  applied: 'Change applied',
  callFailed: 'The call failed',
  cannotReadRules: 'Cannot read the rules',
  cannotReadSessions: 'Cannot read the sessions',
  clearFilters: 'Clear the filters',
  discard: 'Discard what you entered?',
  copiedLink: 'I have copied the link',
  intact: 'The audit log is intact',
  keepEditing: 'Keep editing',
  linkShownOnce: 'This is the only time that the link is shown.',
  makeLink: 'Make the link',
  noMessages: 'No messages yet',
  notWebAddress: 'Not a web address',
  openPage: 'Open the page',
  openToMachine: 'Open to this machine only',
  palette: 'Page, tool or action',
  previewed: 'Preview: nothing is applied yet',
  readQuestion: 'Let the app read with',
  runAnyway: 'Run the tool',
  scopeRequest: 'Allow this access?',
  seeChange: 'See the change in Activity',
  sendAnswer: 'Send the answer',
  signInToSee: 'Sign in to see this.',
  signedOut: 'You are no longer signed in.',
  undo: 'Undo the change',
  undoQuestion: 'Undo this change?',
  whenBack: 'Available when the connection is back.',
} as const
