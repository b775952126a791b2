import { createContext } from 'react'

/** Whether a value leads to the executions that have it; on a card a tap anywhere opens it instead. */
export const Filterable = createContext(true)
