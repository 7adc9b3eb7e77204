/** As much of React's types as a page needs that shows one component. */
declare module 'react-dom/client' {
  export function createRoot(element: Element): { render(node: unknown): void }
}
