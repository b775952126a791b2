/** A short message. */
export interface Notice {
  tone: 'success' | 'warning' | 'error'
  title: string
  description?: string
}
