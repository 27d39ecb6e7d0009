"""What the explorer keeps on the disk: written whole, and checked when it is read back.

Disks lose bits, people edit files, and programs are killed: no file is what it was
written as until it has been checked.
"""
