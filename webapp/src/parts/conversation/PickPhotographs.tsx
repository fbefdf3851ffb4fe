import { Camera } from "lucide-react";
import { useRef, type ReactNode } from "react";
import { photographTypes } from "@/lib/photograph";
import { Button } from "@/lib/ui/button";

type PickProps = { disabled: boolean; onFiles: (files: File[]) => void };

/** Opens the camera of a phone or a tablet; where there is only a mouse, there is nothing to press. */
export function CameraButton({ disabled, words, onFiles }: PickProps & { words: string }) {
  return (
    <PickPhotographs disabled={disabled} onFiles={onFiles} camera className="hidden pointer-coarse:inline-flex">
      <Camera aria-hidden />
      {words}
    </PickPhotographs>
  );
}

type FieldProps = PickProps & { camera?: boolean; className?: string; children: ReactNode };

/** A button that picks photographs. */
export function PickPhotographs({ disabled, onFiles, camera = false, className, children }: FieldProps) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={field}
        type="file"
        hidden
        accept={photographTypes}
        multiple={!camera}
        capture={camera ? "environment" : undefined}
        disabled={disabled}
        data-testid={camera ? "camera-input" : "pages-input"}
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          event.target.value = ""; // so that the same one can be chosen again
          if (files.length > 0) onFiles(files);
        }}
      />
      <Button
        disabled={disabled}
        {...(className === undefined ? {} : { className })}
        onClick={() => field.current?.click()}
      >
        {children}
      </Button>
    </>
  );
}
