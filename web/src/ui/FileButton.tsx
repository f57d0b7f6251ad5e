import { type ReactNode, useRef } from 'react';

interface FileButtonProps {
  readonly accept: string;
  /** Opens the rear camera on phones. */
  readonly capture?: boolean;
  /** Several files may be chosen. */
  readonly multiple?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
  readonly children: (open: () => void) => ReactNode;
}

/** A button of any style that opens the browser's file chooser. */
export function FileButton({ accept, capture, multiple = false, onFiles, children }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        multiple={multiple}
        {...(capture && { capture: 'environment' as const })}
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])]);
          // Reset, so that choosing the same file again triggers a change event.
          event.currentTarget.value = '';
        }}
      />
      {children(() => input.current?.click())}
    </>
  );
}
