import { Trash2 } from "lucide-react";
import type { ComponentProps } from "react";
import { Button } from "./button";
import { focusNeighbour } from "./neighbour";

type Props = Pick<ComponentProps<typeof Button>, "className" | "disabled" | "title"> & {
  /** What it removes, for screen readers. */
  label: string;
  onRemove: () => void;
};

/** A button that removes its row. The focus moves to the next row, since the button disappears too. */
export function RemoveButton({ label, onRemove, ...rest }: Props) {
  return (
    <Button
      {...rest}
      look="quiet"
      size="icon-small"
      aria-label={label}
      onClick={(event) => {
        focusNeighbour(event.currentTarget);
        onRemove();
      }}
    >
      <Trash2 aria-hidden />
    </Button>
  );
}
