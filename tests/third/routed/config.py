"""The sizes of a network that nobody has described before."""

from dataclasses import dataclass

from capsnet_explorer.model.margin_loss import MarginLoss
from capsnet_explorer.model.setting import check_fields, setting
from capsnet_explorer.model.settings import ImageSizes, Settings, Shape


@dataclass(frozen=True, slots=True)
class RoutedConfig(ImageSizes):
    """Sizes of the network.

    Attributes:
        cut: how the maps of the last convolution become capsules: by `permute`, so that
            a capsule's numbers stand at one place of several maps; or by `view`, so
            that they are neighbours in memory.
        types: of primary capsules; their number is that of the maps over the size.
        middle: number of capsules between the primary ones and those of the classes.
        iterations: of both routings.
    """

    cut: str = setting("permute", "permute, or view", choices=("permute", "view"))
    types: int = 4
    dim: int = 4
    middle: int = 16
    middle_dim: int = 6
    class_dim: int = 8
    iterations: int = 3
    decoder_hidden: tuple[int, int] = (16, 24)

    def __post_init__(self) -> None:
        check_fields(self)
        self.require_image(8, "four layers, two of which halve them")

    @property
    def conv1_maps(self) -> Shape:
        """The same rows and columns as the image: it is padded by 1."""
        return 6, self.image_rows, self.image_columns

    @property
    def conv2_maps(self) -> Shape:
        """Kernels of 3x5, padded by 1 and 2, move one row and two columns a step."""
        return 8, self.image_rows, (self.image_columns + 1) // 2

    @property
    def pool_maps(self) -> Shape:
        """Half of it either way."""
        maps, rows, columns = self.conv2_maps
        return maps, rows // 2, columns // 2

    @property
    def grid(self) -> Shape:
        """Types, rows and columns: kernels of 3x3, padded by 1, two pixels a step."""
        _, rows, columns = self.pool_maps
        return self.types, (rows + 1) // 2, (columns + 1) // 2

    @property
    def primary(self) -> tuple[int, ...]:
        """The shape of the primary capsules: on their grid, or one after another."""
        types, rows, columns = self.grid
        return self.grid if self.cut == "permute" else (types * rows * columns,)


SETTINGS = Settings(
    title="routed network",
    sizes=RoutedConfig,
    loss=MarginLoss,
)
