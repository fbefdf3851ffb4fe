import { Camera } from "lucide-react";
import { useRef, type ReactNode } from "react";
import { photographTypes } from "@/lib/photograph";
import { Button } from "@/lib/ui/button";

type PickProps = { disabled: boolean; onFiles: (files: File[]) => void };

/** Opens the camera of a phone or tablet; shows nothing on devices with only a mouse. */
export function CameraButton({ disabled, words, onFiles }: PickProps & { words: string }) {
  return (
    <PickPhotographs disabled={disabled} onFiles={onFiles} camera className="hidden pointer-coarse:inline-flex">
      <Camera aria-hidden />
      {words}
    </PickPhotographs>
  );
}

type FieldProps = PickProps & { camera?: boolean; className?: string; children: ReactNode };

/** A button that selects photographs. */
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
          event.target.value = ""; // so that the same file can be selected again
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
