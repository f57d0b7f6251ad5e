import { type ReactNode, useRef } from 'react';

interface FileButtonProps {
  readonly accept: string;
  /** Opens the rear camera on phones. */
  readonly capture?: boolean;
  readonly onFile: (file: File | undefined) => void;
  readonly children: (open: () => void) => ReactNode;
}

/** A button of any style that opens the browser's file chooser. */
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
          // Reset, so that choosing the same file again triggers a change event.
          event.currentTarget.value = '';
        }}
      />
      {children(() => input.current?.click())}
    </>
  );
}
