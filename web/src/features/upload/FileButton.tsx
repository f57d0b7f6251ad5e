import { type ReactNode, useRef } from 'react';

interface FileButtonProps {
  readonly accept: string;
  /** Asks a phone for its camera, the one on the back. */
  readonly capture?: boolean;
  readonly onFile: (file: File | undefined) => void;
  readonly children: (open: () => void) => ReactNode;
}

/** A button of any look that opens the browser's file chooser. */
export function FileButton({ accept, capture, onFile, children }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        {...(capture && { capture: 'environment' as const })}
        onChange={(event) => {
          onFile(event.currentTarget.files?.[0]);
          // So that choosing the same file again counts as a choice.
          event.currentTarget.value = '';
        }}
      />
      {children(() => input.current?.click())}
    </>
  );
}
