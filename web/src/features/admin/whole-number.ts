/** Properties of a field of a whole number of one or more. */
export const WHOLE = {
  size: 'md',
  min: 1,
  allowDecimal: false,
  hideControls: true,
  inputMode: 'numeric',
} as const;
