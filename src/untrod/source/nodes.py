from untrod.output.layout import *
from untrod.output.layout import Atom, Call, Display, Node, Pairs, Ref, Text
