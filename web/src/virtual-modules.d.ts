declare module 'virtual:antd-tokens' {
  type Derived = import('antd').GlobalToken

  /** What antd derives from the tokens of each theme. */
  export const derivedTokens: Record<'dark' | 'light', Derived>
}
